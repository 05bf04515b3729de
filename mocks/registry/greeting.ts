import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mock, Running, StartOptions } from './entry.ts'

export const greeting = {
  title: 'Greeting RPC',
  hosts: ['rpc'],
  firstPort: 50051,
  start,
  bundled,
} satisfies Mock

/** Starts the greeting service. It exists only as a stateful mock. */
async function start({ ports, token, tls = false, serving }: StartOptions): Promise<Running> {
  const { startGreeting, targetOf } = await import('../stateful/greeting.ts')
  const server = await startGreeting({
    port: ports['rpc'] ?? 0,
    tls,
    ...(token === undefined ? {} : { token }),
    ...(serving === undefined ? {} : { serving }),
  })
  const { address, service, ca } = server
  const certificate = ca === undefined ? undefined : await writeCertificate(ca)
  return {
    kind: 'stateful',
    summary: 'greets every name of a stream, keeps no state',
    urls: { rpc: address },
    identifiers: { service },
    tokens: token === undefined ? {} : { bearer: token },
    tokenOf: { rpc: 'bearer' },
    notes: [
      ['reflection', 'v1 and v1alpha'],
      ...(certificate === undefined
        ? []
        : [['certificate', certificate.file] satisfies [string, string]]),
      ...(typeof tls === 'boolean'
        ? []
        : [
            [
              'client certificate',
              'required: -cert and -key of grpcurl, --greeting-tls-cert and --greeting-tls-key of touchstone test',
            ] satisfies [string, string],
          ]),
    ],
    example: {
      command: 'grpcurl',
      args: [
        ...(certificate === undefined ? ['-plaintext'] : ['-cacert', certificate.file]),
        ...(token === undefined ? [] : ['-H', `authorization: Bearer ${token}`]),
        '-d',
        '{"name": "Ada", "request_id": "1"}',
        address,
        `${service}/BidirectionalGreeting`,
      ],
    },
    target: {
      ...targetOf(server).greeting,
      ...(certificate === undefined ? {} : { tls: { ca: certificate.file } }),
    },
    async close() {
      await Promise.all([server.close(), certificate?.remove()])
    },
  }
}

/** Writes the certificate to a file, because grpcurl and target files accept only file names. */
async function writeCertificate(
  certificate: string,
): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-greeting-'))
  const file = join(folder, 'ca.pem')
  await writeFile(file, certificate)
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function bundled() {
  const { startGreeting, targetOf } = await import('../stateful/greeting.ts')
  // TLS and a token, so that every requirement is covered.
  const server = await startGreeting({ tls: true, token: 'greeting-token' })
  return { target: targetOf(server).greeting, close: () => server.close() }
}
