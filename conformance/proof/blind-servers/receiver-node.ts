import type { Started } from '../family.ts'
import { readSwitches, startBlindProcess, type BlindServer } from './blind-server.ts'

interface ReceiverFacts {
  url: string
  secret: string
  events: readonly string[]
  onMismatch: 'reject' | 'drop'
}

/**
 * Starts a receiver in a separate process. `eventOf` returns the event in the target file, from the
 * author's name of it, or an empty list if there is none.
 */
export async function startReceiver(
  file: string,
  on: readonly string[],
  eventOf: (name: string) => string | readonly string[] = (name) => name,
): Promise<Started> {
  const { facts, close } = await startBlindProcess<ReceiverFacts>(file, on)
  const { url, secret, events, onMismatch } = facts
  return {
    target: {
      receiver: {
        url,
        secret,
        events: events.flatMap(eventOf) as never,
        onMismatch: onMismatch === 'drop' ? 'drop' : 'refuse',
      },
    },
    close,
  }
}

export const receiverNode: BlindServer = {
  name: 'receiver-node',
  switches: readSwitches('receiver-node'),
  skipped: [],
  realTime: 'all',
  start: (on) => startReceiver('receiver-node/server.mjs', on),
}
