import type { GreetingMutant } from './building.ts'
import { methods } from './method.ts'
import { descriptions } from './reflection.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'

/**
 * The mutants of the greeting service. They derive from its .proto file: from the fields of its two
 * messages, from its method, and from what server reflection returns about these. Unknown fields,
 * other orders of fields and repeated fields are legal in Protocol Buffers, so there are no mutants
 * for them.
 */
export const mutants: readonly GreetingMutant[] = [
  ...responses,
  ...requests,
  ...methods,
  ...descriptions,
]
