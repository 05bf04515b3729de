import { readSwitches, startBlindProcess, type BlindServer } from './blind-server.ts'

const switches = readSwitches('greeting-node')

export const greetingNode: BlindServer = {
  name: 'greeting-node',
  switches,
  // The library of this server decodes truncated messages. Its author cannot change this.
  skipped: ['GRT-GRPC-13'],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startBlindProcess<{ address: string; service: string }>(
      'greeting-node/server.mjs',
      on,
    )
    const isChoice = switches.some(({ name, kind }) => kind === 'choice' && on.includes(name))
    return {
      target: {
        greeting: {
          ...facts,
          // Some choices change how many responses a request gets. The operator of such a server
          // would not declare the relationship one-to-one.
          ...(isChoice ? {} : { relationship: 'one-to-one' as const }),
        },
      },
      close,
    }
  },
}
