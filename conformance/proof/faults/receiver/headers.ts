import type { ReceiverCall } from '../../../../mocks/stateful/receiver.ts'
import type { ReceiverFault } from './fault.ts'
import { fault } from './building.ts'

/** Drops a header if its name is not written as expected. */
const dropHeader = (
  name: string,
  description: string,
  header: string,
  isAccepted: (sent: string) => boolean,
): ReceiverFault =>
  fault(name, description, ['EVT-RECEIVER-12'], (hit) => ({
    choices: { unknownEvent: 400 },
    around: (call, next) => {
      const sent = sentNameOf(call, header)
      if (sent !== undefined && !isAccepted(sent)) {
        hit()
        call.headers = { ...call.headers, [header]: undefined }
      }
      return next()
    },
  }))

/** Returns the name of a header as it was sent. */
function sentNameOf({ request: { rawHeaders } }: ReceiverCall, header: string): string | undefined {
  return rawHeaders.find((sent, at) => at % 2 === 0 && sent.toLowerCase() === header)
}

const lower = (name: string) => name.toLowerCase()
const upper = (name: string) => name.toUpperCase()

export const headers: readonly ReceiverFault[] = [
  dropHeader(
    'token-is-known-in-one-spelling',
    'Accepts X-Hook-Token only in this case.',
    'x-hook-token',
    (name) => name === 'X-Hook-Token',
  ),
  dropHeader(
    'token-is-not-known-in-small-letters',
    'Ignores X-Hook-Token in lower case.',
    'x-hook-token',
    (name) => name !== lower(name),
  ),
  dropHeader(
    'token-is-not-known-in-capitals',
    'Ignores X-Hook-Token in upper case.',
    'x-hook-token',
    (name) => name !== upper(name),
  ),
  dropHeader(
    'event-is-known-in-one-spelling',
    'Accepts X-Hook-Event only in this case.',
    'x-hook-event',
    (name) => name === 'X-Hook-Event',
  ),
  dropHeader(
    'event-is-not-known-in-capitals',
    'Ignores X-Hook-Event in upper case.',
    'x-hook-event',
    (name) => name !== upper(name),
  ),
]
