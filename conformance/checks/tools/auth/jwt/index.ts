import { forged } from './forged.ts'
import { open } from './open.ts'
import { places } from './places.ts'
import { refusing } from './refusing.ts'
import { serving } from './serving.ts'

/** Every check of pattern 2: tokens that the server verifies itself. */
export const jwtChecks = [...serving, ...refusing, ...forged, ...places, ...open]
