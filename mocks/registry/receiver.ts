import type { Running, StartOptions } from './entry.ts'

/** Starts the receiver, of which there is one kind. */
export async function startReceiver({ ports, secret, delayMs }: StartOptions): Promise<Running> {
  const { startReceiver: start } = await import('../stateful/receiver.ts')
  const server = await start({
    port: ports['receiver'] ?? 0,
    ...(secret === undefined ? {} : { secret }),
    ...(delayMs === undefined ? {} : { delayMs }),
  })
  const { url, options } = server
  const token = { 'X-Hook-Token': options.secret }
  return {
    kind: 'stateful',
    urls: { receiver: url },
    owns: {},
    tokens: { secret: options.secret },
    tokenOf: { receiver: 'secret' },
    notes: [['deliveries', `${new URL('/_touchstone/deliveries', url).href} (the last ones)`]],
    example: {
      url,
      headers: { ...token, 'X-Hook-Event': 'Push Hook', 'Content-Type': 'application/json' },
      json: { object_kind: 'push' },
    },
    target: { url, secret: options.secret },
    close: () => server.close(),
  }
}
