import type { HttpExchange, Mailbox } from '../../../wire/index.ts'

/** A hook that a check created, and the mailbox (a URL of the suite) that gets its deliveries. */
export interface CreatedHook {
  id: string
  /** The project in the path of the request that created the hook. */
  project: string
  mailbox: Mailbox
  /** Path and query of the hook's URL. */
  pathAndQuery: string
  token: string | undefined
  response: HttpExchange
}
