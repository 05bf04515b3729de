import type { ReceiverFault } from './fault.ts'
import { acknowledging } from './acknowledging.ts'
import { afterwards } from './afterwards.ts'
import { unknownExamples } from './examples.ts'
import { bodies } from './bodies.ts'
import { headers } from './headers.ts'
import { oddities } from './oddities.ts'
import { ordinaryValues } from './ordinary-values.ts'
import { payloads } from './payloads.ts'
import { spellings } from './spellings.ts'
import { times } from './times.ts'
import { tokens } from './tokens.ts'

/** Every handwritten fault of the receiver. */
export const faults: readonly ReceiverFault[] = [
  ...acknowledging,
  ...unknownExamples,
  ...tokens,
  ...headers,
  ...times,
  ...payloads,
  ...spellings,
  ...oddities,
  ...afterwards,
  ...ordinaryValues,
  ...bodies,
]
