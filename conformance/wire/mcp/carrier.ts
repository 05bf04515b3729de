import type { McpHeaders, McpExit } from './api.ts'
import type { Dialogue } from './dialogue.ts'
import type { Errand } from './errand.ts'
import type { McpExchange, McpFailure, McpSent } from './exchange.ts'
import type { McpSettings } from './places.ts'

/** What a carrier works with: the same for all transports. */
export interface Bearing {
  readonly settings: McpSettings
  readonly dialogue: Dialogue
  readonly timeout: number
  /** What is sent with every request at this moment: of the door, of the connection, of the session. */
  headers(): McpHeaders
  /** Says that nothing can be sent any more. */
  lost(failure: McpFailure, why: string): void
  heard(exchange: McpExchange): void
}

/** One transport under a connection: it brings messages there, and what comes to the dialogue. */
export interface Carrier {
  /** Resolves when it stands, or has failed: then it has said `lost`. */
  open(): Promise<void>
  /** How a text goes out. */
  sent(text: string, headers: McpHeaders | undefined): McpSent
  /** Sends; the errand is told how that goes. */
  send(errand: Errand, bytes: Buffer): void
  close(): Promise<void>
  readonly stream?: McpExchange | undefined
  readonly endpoint?: string | undefined
  readonly stderr?: string | undefined
  readonly exit?: McpExit | undefined
}
