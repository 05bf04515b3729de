import type { ReceiverCall } from '../../../../mocks/stateful/receiver.ts'
import type { ReceiverFault } from './fault.ts'
import { fault } from './building.ts'

/** Loses a header whose name is written in a way that the receiver does not know. */
const losing = (
  name: string,
  description: string,
  header: string,
  known: (written: string) => boolean,
): ReceiverFault =>
  fault(name, description, ['EVT-RECEIVER-12'], (hit) => ({
    choices: { unknownEvent: 400 },
    around: (call, next) => {
      const written = nameOf(call, header)
      if (written !== undefined && !known(written)) {
        hit()
        call.headers = { ...call.headers, [header]: undefined }
      }
      return next()
    },
  }))

/** A header's name as it was written. */
function nameOf({ request: { rawHeaders } }: ReceiverCall, header: string): string | undefined {
  return rawHeaders.find((written, at) => at % 2 === 0 && written.toLowerCase() === header)
}

const lower = (name: string) => name.toLowerCase()
const upper = (name: string) => name.toUpperCase()

export const headers: readonly ReceiverFault[] = [
  losing(
    'token-is-known-in-one-spelling',
    'Knows X-Hook-Token only as it is written here.',
    'x-hook-token',
    (name) => name === 'X-Hook-Token',
  ),
  losing(
    'token-is-not-known-in-small-letters',
    'Does not find X-Hook-Token where it is written in small letters.',
    'x-hook-token',
    (name) => name !== lower(name),
  ),
  losing(
    'token-is-not-known-in-capitals',
    'Does not find X-Hook-Token where it is written in capitals.',
    'x-hook-token',
    (name) => name !== upper(name),
  ),
  losing(
    'event-is-known-in-one-spelling',
    'Knows X-Hook-Event only as it is written here.',
    'x-hook-event',
    (name) => name === 'X-Hook-Event',
  ),
  losing(
    'event-is-not-known-in-capitals',
    'Does not find X-Hook-Event where it is written in capitals.',
    'x-hook-event',
    (name) => name !== upper(name),
  ),
]
