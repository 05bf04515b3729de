import { readSwitches, startBlindProcess, type BlindServer } from './blind-server.ts'

interface ReceiverFacts {
  url: string
  secret: string
  events: readonly string[]
  onMismatch: 'reject' | 'drop'
}

export const receiverNode: BlindServer = {
  name: 'receiver-node',
  switches: readSwitches('receiver-node'),
  skipped: [],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startBlindProcess<ReceiverFacts>('receiver-node/server.mjs', on)
    const { url, secret, events, onMismatch } = facts
    return {
      target: {
        receiver: {
          url,
          secret,
          events: events as never,
          onMismatch: onMismatch === 'drop' ? 'drop' : 'refuse',
        },
      },
      close,
    }
  },
}
