import type { Choices, Places, Rules, TransportName } from '../../../../mocks/stateful/tools.ts'
import type { Fault as AnyFault } from '../fault.ts'

/** How a server is run, and what its target file tells of it, beside the choices that it makes itself. */
export interface Hosting {
  /** Over which transports it is judged; the target file names no others. */
  transports: readonly TransportName[]
  /** False where the target file does not tell of the server's clock. */
  clock: boolean
}

/** How a faulty tool server differs from the correct one. */
export interface Deviation extends Places {
  rules?: Partial<Rules>
  choices?: Partial<Choices & Hosting>
}

export type Fault = AnyFault<Deviation>
