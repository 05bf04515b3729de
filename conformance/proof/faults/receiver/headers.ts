import type { ReceiverCall } from '../../../../mocks/stateful/receiver.ts'
import type { ReceiverFault } from './fault.ts'
import { fault } from './building.ts'

/** Ignores a header if its name is not written as expected. */
const ignoreHeader = (
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
  ignoreHeader(
    'token-is-known-in-one-spelling',
    'Accepts the token only if the name of its header is written X-Hook-Token.',
    'x-hook-token',
    (name) => name === 'X-Hook-Token',
  ),
  ignoreHeader(
    'token-is-not-known-in-small-letters',
    'Ignores the token if the name of its header is in lower case.',
    'x-hook-token',
    (name) => name !== lower(name),
  ),
  ignoreHeader(
    'token-is-not-known-in-capitals',
    'Ignores the token if the name of its header is in upper case.',
    'x-hook-token',
    (name) => name !== upper(name),
  ),
  ignoreHeader(
    'event-is-known-in-one-spelling',
    'Accepts the event only if the name of its header is written X-Hook-Event.',
    'x-hook-event',
    (name) => name === 'X-Hook-Event',
  ),
  ignoreHeader(
    'event-is-not-known-in-capitals',
    'Ignores the event if the name of its header is in upper case.',
    'x-hook-event',
    (name) => name !== upper(name),
  ),
]
