import { isHeaderValue } from '../../../mocks/deliveries/headers.ts'
import {
  defaultHostname,
  mockOf,
  mocks,
  type MockKind,
  type Running,
  type StartedMocks,
  type StartOptions,
} from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'
import { onStopSignal } from '../../stop-signals.ts'
import { exitOnClosedOutput } from '../deliveries/lines.ts'
import { pem } from '../pem.ts'
import { openAuditLog } from './audit-log.ts'
import { authSettings } from './auth.ts'
import type { MockOptions } from './options.ts'
import { planPorts, type Ports } from './ports.ts'
import { newRequestLog } from './request-log.ts'
import { readSeed } from './seed.ts'
import { requireOwnOptions } from './own-options.ts'
import { servingOf } from './serving.ts'
import { tlsOf, type MockTls } from './tls.ts'
import { writeTargetFile } from './target-file.ts'
import { serve, urlOf } from './stdio.ts'

/**
 * Runs `touchstone mock`: starts the named mocks and prints their URLs. They run until a signal.
 */
export async function run(names: readonly string[], given: MockOptions): Promise<void> {
  const transport = transportOf(given.transport)
  if (transport === 'stdio') return serve(names, given)
  // The request log is written to standard error.
  exitOnClosedOutput([process.stdout, process.stderr])
  const options = withVariables(given)
  const tls = await tlsOf(options)
  const { started, seeded } = await startAll(names, options, { transport, tls })
  stopOnSignal(started)
  const { asJson, asText } = await import('./print.ts')
  process.stdout.write(
    options.json === true
      ? asJson(started, { caFile: tls?.caFile, seeded })
      : asText(started, { targetFile: writeTargetFile(started), caFile: tls?.caFile, seeded }),
  )
}

/** Adds the values of environment variables for options that are not set. */
function withVariables(
  options: MockOptions,
  { TOUCHSTONE_HOST: host, TOUCHSTONE_PORT: port }: NodeJS.ProcessEnv = process.env,
): MockOptions {
  return {
    ...(host === undefined || host === '' ? {} : { host }),
    ...(port === undefined || port === '' ? {} : { port: port.split(',') }),
    ...options,
    ...(port === undefined || port === '' || options.port !== undefined
      ? {}
      : { portVariable: 'TOUCHSTONE_PORT' }),
  }
}

async function startAll(
  requested: readonly string[],
  options: MockOptions,
  { transport, tls }: { transport: StartOptions['transport']; tls: MockTls | undefined },
): Promise<{ started: Map<string, Running>; seeded: Seeded | undefined }> {
  const names = await requireKnown(requested)
  requireOwnOptions(names, options)
  const kind: MockKind = options.stateful === true ? 'stateful' : 'contract'
  const ports = await planPorts(
    names,
    options.port ?? [],
    options.portVariable === undefined ? '--port' : `${options.portVariable}:`,
  )
  const settings = {
    ...(options.seed === undefined
      ? {}
      : { initial: await initialDataOf(options.seed, kind, names, options) }),
    ...settingsOf(kind, names, options),
    ...toolsSettings(transport, options),
  }
  const log = options.quiet === true ? undefined : newRequestLog(options.json === true)
  const started = new Map<string, Running>()
  for (const name of startOrder(names)) {
    try {
      const serving = servingOf(name, options, { log, tls })
      const running = await mockOf(name).start({
        kind,
        ports: ports[name]!,
        serving,
        ...settings,
        ...(name === 'tools' ? identityOf(started, settings.identity) : {}),
      })
      log?.hide(Object.values(running.tokens))
      started.set(name, running)
    } catch (error) {
      await closeAll(started)
      throw explainPortError(error, name, ports, options.host)
    }
  }
  return {
    started: new Map(names.map((name) => [name, started.get(name)!])),
    seeded: settings.initial && countSeeded(names, settings.initial),
  }
}

/** How many images, variants, hooks and books the seed has added to the mocks. */
export type Seeded = Readonly<Record<string, number>>

function countSeeded(
  names: readonly string[],
  { images, variants, hooks, books }: NonNullable<StartOptions['initial']>,
): Seeded {
  return {
    ...(names.includes('images')
      ? {
          images: images.length,
          ...(variants.length === 0 ? {} : { variants: variants.length }),
        }
      : {}),
    ...(names.includes('hooks') ? { hooks: hooks.length } : {}),
    ...(names.includes('tools') ? { books: books.length } : {}),
  }
}

/** The tool server starts last, because it may use the identity provider. */
const startOrder = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => Number(a === 'tools') - Number(b === 'tools'))

/**
 * The identity provider of the tool server: the one of --identity, or the mock that was started
 * together with it. With TLS, the tool server uses a built-in one, because it would not trust the
 * generated certificate.
 */
function identityOf(
  started: StartedMocks,
  given: StartOptions['identity'] = {},
): Pick<StartOptions, 'identity'> {
  const mock = started.get('identity')?.urls['identity']
  const url = given.url ?? (mock?.startsWith('https:') === true ? undefined : mock)
  return { identity: { ...given, ...(url === undefined ? {} : { url }) } }
}

async function requireKnown(requested: readonly string[]): Promise<string[]> {
  const known = Object.keys(mocks)
  const unknown = [...new Set(requested)].filter((name) => !known.includes(name))
  if (unknown.length === 0) return requested.length === 0 ? known : [...new Set(requested)]
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const sentences = unknown.map((name) => {
    const suggestion = nearest(name, known)
    return `there is no mock named ${name}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
  })
  throw new UsageError(`${sentences.join(' Also, ')} Known: ${known.join(', ')}`)
}

/** Reads the file of --seed. Throws `UsageError`. */
async function initialDataOf(
  file: string,
  kind: MockKind,
  names: readonly string[],
  { upstream }: MockOptions,
): Promise<NonNullable<StartOptions['initial']>> {
  if (kind === 'contract' && names.some((name) => statelessMocks.includes(name)))
    throw new UsageError('--seed needs --stateful for images and hooks')
  return readSeed(file, { upstream })
}

/** The mocks that have a stateless form. */
const statelessMocks = ['images', 'hooks']

function settingsOf(
  kind: MockKind,
  names: readonly string[],
  options: MockOptions,
): Partial<StartOptions> {
  const { account, project, secret, token, clientCa, maxFileBytes, upstream } = options
  const isStateless = kind === 'contract' && names.some((name) => statelessMocks.includes(name))
  if (isStateless && maxFileBytes !== undefined)
    throw new UsageError('--max-file-bytes needs --stateful')
  return {
    ...(account === undefined ? {} : { account }),
    ...(project === undefined ? {} : { project }),
    ...(secret === undefined ? {} : { secret: requireHeaderSafe(secret) }),
    ...(token === undefined ? {} : { token: requireMetadataSafe(token) }),
    ...(clientCa === undefined ? {} : { clientCa: pem('--client-ca', clientCa, 'certificate') }),
    ...(upstream === undefined ? {} : { upstream: urlOf(upstream) }),
    ...authSettings(options),
    ...(maxFileBytes === undefined
      ? {}
      : { maxFileBytes: count('--max-file-bytes', maxFileBytes) }),
  }
}

const transports = ['streamable_http', 'sse', 'stdio'] as const

function transportOf(text: string | undefined): (typeof transports)[number] | undefined {
  if (text === undefined) return undefined
  const found = transports.find((transport) => transport === text)
  if (found === undefined)
    throw new UsageError(`--transport must be one of ${transports.join(', ')}, not ${text}`)
  return found
}

/** The settings of the tool server, except those of authentication. */
function toolsSettings(
  transport: StartOptions['transport'],
  { stateless, auditLog, everything }: MockOptions,
): Partial<StartOptions> {
  if (transport === 'sse' && stateless === true)
    throw new UsageError(
      '--stateless needs streamable HTTP; it cannot be combined with --transport sse',
    )
  return {
    ...(transport === undefined ? {} : { transport }),
    ...(stateless === undefined ? {} : { stateless }),
    ...(everything === undefined ? {} : { everything }),
    ...(auditLog === undefined ? {} : { onAuditEntry: openAuditLog(auditLog) }),
  }
}

/** Requires that a secret is a valid header value. */
function requireHeaderSafe(secret: string): string {
  if (!isHeaderValue(secret))
    throw new UsageError(
      '--secret must be a valid header value: without line breaks, and without spaces at its ends',
    )
  return secret
}

/** Requires that a token is a valid metadata value. */
function requireMetadataSafe(token: string): string {
  if (!/^[!-~]+$/.test(token))
    throw new UsageError('--token must be printable ASCII without spaces')
  return token
}

function count(flag: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${flag} must be a whole number, not ${text}`)
  return Number(text)
}

/**
 * If a port is not available, returns an error that names its host. Returns other errors unchanged.
 */
function explainPortError(
  error: unknown,
  name: string,
  ports: Ports,
  host = defaultHostname,
): unknown {
  const { code, port } = error as { code?: string; port?: number }
  if (port !== undefined && (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'))
    return new UsageError(
      `--host ${host} is not an address or a name of this machine. Use 0.0.0.0 to listen on every address`,
    )
  if (port === undefined || (code !== 'EADDRINUSE' && code !== 'EACCES')) return error
  const server = Object.entries(ports[name] ?? {}).find(([, planned]) => planned === port)?.[0]
  // The single host of a mock has a name that the help does not list.
  const owner = mockOf(name).hosts.length === 1 ? name : server
  const why = code === 'EACCES' ? 'requires more permissions' : 'is in use'
  return new UsageError(
    `port ${port} on ${host}, for the ${server} host of ${name}, ${why}. ` +
      `Use any free port with --port 0 (or --port ${owner}=0 for this ${owner === name ? 'mock' : 'host'} alone), or choose another with --port ${owner}=PORT`,
  )
}

function stopOnSignal(started: Map<string, Running>): void {
  const end = () => {
    // The next signal ends the process immediately.
    removeListener()
    // Exit even if a server does not close in time.
    setTimeout(() => process.exit(0), 800).unref()
    void closeAll(started).finally(() => process.exit(0))
  }
  const removeListener = onStopSignal(end)
}

async function closeAll(started: Map<string, Running>): Promise<void> {
  await Promise.allSettled([...started.values()].map((mock) => mock.close()))
}
