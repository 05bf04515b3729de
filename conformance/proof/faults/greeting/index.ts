import { encodings } from './encodings.ts'
import type { GreetingFault } from './fault.ts'
import { names } from './names.ts'
import { protocol } from './protocol.ts'
import { requestForms } from './request-forms.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'
import { streams } from './streams.ts'
import { times } from './times.ts'
import { unusualNames } from './unusual-names.ts'

/** Every handwritten fault of the greeting service. */
export const faults: readonly GreetingFault[] = [
  ...streams,
  ...requests,
  ...requestForms,
  ...encodings,
  ...responses,
  ...times,
  ...names,
  ...unusualNames,
  ...protocol,
]
