import { readSwitches, startBlindProcess, type BlindServer } from './blind-server.ts'

const switches = readSwitches('greeting')

export const greeting: BlindServer = {
  name: 'greeting',
  switches,
  skipped: [],
  realTime: 'all',
  async start(on) {
    const { facts, close } = await startBlindProcess<{ address: string }>('greeting/server.py', on)
    const changesRelationship = switches.some(
      ({ name, kind }) => kind === 'choice' && on.includes(name),
    )
    return {
      target: {
        greeting: {
          address: facts.address,
          service: 'examples.GreetingService',
          // Some switches change how many responses a request gets. The operator of such a server
          // would not declare the relationship one-to-one.
          ...(changesRelationship ? {} : { relationship: 'one-to-one' as const }),
          ...(on.includes('needs-authorization')
            ? { metadata: { authorization: 'Bearer a-token' } }
            : {}),
        },
      },
      close,
    }
  },
}
