import type { Mock, Running, StartOptions } from './entry.ts'

export const receiver = {
  title: 'Receiver of deliveries',
  hosts: ['receiver'],
  firstPort: 4030,
  start,
  bundled,
} satisfies Mock

/** Starts the receiver. It exists only as a stateful mock. */
async function start({ ports, secret, serving }: StartOptions): Promise<Running> {
  const { startReceiver } = await import('../stateful/receiver.ts')
  const server = await startReceiver({
    port: ports['receiver'] ?? 0,
    ...(secret === undefined ? {} : { secret }),
    ...(serving === undefined ? {} : { serving }),
  })
  const { url, options } = server
  const token = { 'X-Hook-Token': options.secret }
  return {
    kind: 'stateful',
    urls: { receiver: url },
    identifiers: {},
    tokens: { secret: options.secret },
    tokenOf: { receiver: 'secret' },
    control: ['deliveries'],
    notes: [['deliveries', `${new URL('/_touchstone/deliveries', url).href} (the latest ones)`]],
    example: () => ({
      url,
      headers: { ...token, 'X-Hook-Event': 'Push Hook', 'Content-Type': 'application/json' },
      json: { object_kind: 'push' },
    }),
    target: { url, secret: options.secret },
    close: () => server.close(),
  }
}

async function bundled() {
  const { startReceiver, targetOf } = await import('../stateful/receiver.ts')
  const server = await startReceiver()
  return { target: targetOf(server).receiver, close: () => server.close() }
}
