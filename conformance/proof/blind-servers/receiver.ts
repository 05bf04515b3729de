import { startServer } from '../blind/receiver/server.ts'
import { switches } from '../blind/receiver/switches.ts'
import type { BlindServer } from './blind-server.ts'

export const receiver: BlindServer = {
  name: 'receiver',
  switches,
  skipped: [],
  realTime: ['takes-a-second', 'takes-four-seconds', 'mismatch-slow', 'work-before-answer'],
  async start(on) {
    const server = await startServer(on)
    const { url, secret, onMismatch } = server
    return {
      target: {
        receiver: {
          url,
          secret,
          onMismatch,
          events: server.events.map((kind) => (kind === 'build' ? 'job' : kind)) as never,
        },
      },
      close: () => server.close(),
    }
  },
}
