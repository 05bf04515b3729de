import type { AuthFault } from '../fault.ts'
import { algorithms, keys } from './algorithms.ts'
import { claims } from './claims.ts'
import { forms } from './forms.ts'
import { places } from './places.ts'
import { refusing } from './refusing.ts'
import { schemes } from './schemes.ts'
import { serving } from './serving.ts'
import { signatures } from './signatures.ts'

/** Faults of servers of pattern 2. */
export const faults: readonly AuthFault[] = [
  ...serving,
  ...refusing,
  ...schemes,
  ...signatures,
  ...algorithms,
  ...keys,
  ...claims,
  ...forms,
  ...places,
]
