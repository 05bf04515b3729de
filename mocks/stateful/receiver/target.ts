import { eventNames } from '../../deliveries/events.ts'
import type { ReceiverServer } from '../receiver.ts'

/** The part of a target file that gives everything of a started receiver. */
export function targetOf({
  url,
  options: { secret },
  context: {
    choices: { onMismatch },
  },
}: ReceiverServer) {
  return { receiver: { url, secret, events: eventNames, onMismatch } }
}
