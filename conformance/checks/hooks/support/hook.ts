import type { HttpExchange, Mailbox } from '../../../wire/index.ts'

/** A hook that a check created, and the mailbox that it delivers to. */
export interface CreatedHook {
  id: string
  mailbox: Mailbox
  token: string | undefined
  response: HttpExchange
}
