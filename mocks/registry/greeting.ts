import type { Mock, Running, StartOptions } from './entry.ts'

export const greeting = {
  title: 'Greeting RPC',
  hosts: ['rpc'],
  firstPort: 50051,
  start,
  bundled,
} satisfies Mock

/** Starts the greeting service. It exists only as a stateful mock. */
async function start({ ports, token, clientCa, serving = {} }: StartOptions): Promise<Running> {
  const { startGreeting, targetOf } = await import('../stateful/greeting.ts')
  const clientAuthority = clientCa === undefined ? {} : { clientCa }
  const server = await startGreeting({
    port: ports['rpc'] ?? 0,
    tls: serving.tls === undefined ? false : { ...serving.tls, ...clientAuthority },
    serving,
    ...(token === undefined ? {} : { token }),
  })
  const { address, service } = server
  const caFile = serving.tls?.caFile
  return {
    kind: 'stateful',
    summary: 'greets every name of a stream, keeps no state',
    urls: { rpc: address },
    identifiers: { service },
    tokens: token === undefined ? {} : { bearer: token },
    tokenOf: { rpc: 'bearer' },
    notes: [
      ['reflection', 'v1 and v1alpha'],
      ...(clientCa === undefined
        ? []
        : [
            [
              'client certificate',
              'required: --cert and --key of greet, --greeting-tls-cert and --greeting-tls-key of test',
            ] satisfies [string, string],
          ]),
    ],
    example: () => ({
      command: 'npx',
      args: [
        'touchstone',
        'greet',
        address,
        ...(serving.tls === undefined ? [] : caFile === undefined ? ['--tls'] : ['--ca', caFile]),
        ...(token === undefined ? [] : ['--metadata', `authorization=Bearer ${token}`]),
        ...(clientCa === undefined ? [] : ['--cert', 'cert.pem', '--key', 'key.pem']),
        'Ada',
      ],
    }),
    target: {
      ...targetOf(server).greeting,
      ...(serving.tls === undefined ? {} : { tls: caFile === undefined ? {} : { ca: caFile } }),
    },
    close: () => server.close(),
  }
}

async function bundled() {
  const { startGreeting, targetOf } = await import('../stateful/greeting.ts')
  // TLS and a token, so that every requirement is covered.
  const server = await startGreeting({ tls: true, token: 'greeting-token' })
  return { target: targetOf(server).greeting, close: () => server.close() }
}
