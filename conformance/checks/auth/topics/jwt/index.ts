import { forged } from './forged-tokens.ts'
import { open } from './open.ts'
import { places } from './endpoints.ts'
import { refusing } from './refusals.ts'
import { serving } from './service.ts'

/** Every check of pattern 2: tokens that the server verifies itself. */
export const jwtChecks = [...serving, ...refusing, ...forged, ...places, ...open]
