import type { GreetingMutant } from './building.ts'
import { methods } from './method.ts'
import { descriptions } from './reflection.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'

/**
 * The mutants of the greeting service. They derive from its .proto file: the fields of both
 * messages, the method, and the descriptions of both in server reflection. Unknown fields, other
 * orders of fields and repeated fields are legal in Protocol Buffers, so none of them is a mutant.
 */
export const mutants: readonly GreetingMutant[] = [
  ...responses,
  ...requests,
  ...methods,
  ...descriptions,
]
