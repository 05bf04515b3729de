import type { HttpExchange, Mailbox } from '../../../wire/index.ts'

/** A hook that was made, and the address that it delivers to. */
export interface CreatedHook {
  id: string
  mailbox: Mailbox
  token: string | undefined
  answer: HttpExchange
}
