import { isHeaderValue } from '../../../mocks/deliveries/headers.ts'
import {
  mockOf,
  mocks,
  type MockKind,
  type Running,
  type StartOptions,
} from '../../../mocks/registry.ts'
import { UsageError } from '../../complain.ts'
import { pem } from '../pem.ts'
import { authSettings } from './auth.ts'
import type { MockOptions } from './options.ts'
import { plannedPorts, type Ports } from './ports.ts'
import { serve, urlOf } from './stdio.ts'

/** Starts the named mocks, says where they are, and stays until somebody ends it. */
export async function run(names: readonly string[], options: MockOptions): Promise<void> {
  if (options.stdio === true) return serve(names, options)
  const started = await startAll(names, options)
  endOnSignal(started)
  const { asJson, asText } = await import('./print.ts')
  process.stdout.write(options.json === true ? asJson(started) : asText(started))
}

async function startAll(
  given: readonly string[],
  options: MockOptions,
): Promise<Map<string, Running>> {
  const names = await knownNames(given)
  const kind: MockKind = options.stateful === true ? 'stateful' : 'contract'
  const ports = await plannedPorts(names, options.port ?? [])
  const more = settings(kind, options)
  const started = new Map<string, Running>()
  for (const name of names) {
    try {
      started.set(name, await mockOf(name).start({ kind, ports: ports[name]!, ...more }))
    } catch (error) {
      await closeAll(started)
      throw explained(error, name, ports)
    }
  }
  return started
}

async function knownNames(given: readonly string[]): Promise<string[]> {
  const known = Object.keys(mocks)
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return given.length === 0 ? known : [...new Set(given)]
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const meant = nearest(unknown, known)
  throw new UsageError(
    `there is no mock named ${unknown}.${meant === undefined ? '' : ` Did you mean ${meant}?`} Known: ${known.join(', ')}`,
  )
}

function settings(kind: MockKind, options: MockOptions): Partial<StartOptions> {
  const {
    account,
    project,
    secret,
    token,
    tls,
    clientCa,
    maxFileBytes,
    delay,
    upstream,
    stateless,
  } = options
  if (kind === 'contract' && (maxFileBytes ?? delay) !== undefined)
    throw new UsageError('--max-file-bytes and --delay need --stateful')
  return {
    ...(account === undefined ? {} : { account }),
    ...(project === undefined ? {} : { project }),
    ...(secret === undefined ? {} : { secret: fit(secret) }),
    ...(token === undefined ? {} : { token: visible(token) }),
    ...(tls === undefined ? {} : { tls }),
    ...(clientCa === undefined ? {} : { tls: { clientCa: pem('--client-ca', clientCa) } }),
    ...(upstream === undefined ? {} : { upstream: urlOf(upstream) }),
    ...authSettings(options),
    ...(stateless === undefined ? {} : { stateless }),
    ...(maxFileBytes === undefined
      ? {}
      : { maxFileBytes: count('--max-file-bytes', maxFileBytes) }),
    ...(delay === undefined ? {} : { delayMs: count('--delay', delay) }),
  }
}

/** A secret that a header can carry. */
function fit(secret: string): string {
  if (!isHeaderValue(secret))
    throw new UsageError(
      '--secret has to be text that fits into a header: without line breaks, and without spaces at its ends',
    )
  return secret
}

/** A token that metadata can carry. */
function visible(token: string): string {
  if (!/^[!-~]+$/.test(token))
    throw new UsageError('--token has to be printable ASCII without spaces')
  return token
}

function count(flag: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`${flag} has to be a whole number, not ${text}`)
  return Number(text)
}

/** A port that cannot be had, in words that name its host; every other error as it is. */
function explained(error: unknown, name: string, ports: Ports): unknown {
  const { code, port } = error as { code?: string; port?: number }
  if (port === undefined || (code !== 'EADDRINUSE' && code !== 'EACCES')) return error
  const host = Object.entries(ports[name] ?? {}).find(([, planned]) => planned === port)?.[0]
  const why = code === 'EACCES' ? 'may not be opened' : 'is taken'
  return new UsageError(
    `port ${port} on 127.0.0.1, for the ${host} host of ${name}, ${why}. ` +
      `Let the system choose with --port 0 (or --port ${host}=0 for this one), or name another with --port ${host}=PORT`,
  )
}

function endOnSignal(started: Map<string, Running>): void {
  const end = () => {
    // Whatever still hangs after this is nobody's affair any more.
    setTimeout(() => process.exit(0), 800).unref()
    void closeAll(started).finally(() => process.exit(0))
  }
  process.once('SIGINT', end).once('SIGTERM', end)
}

async function closeAll(started: Map<string, Running>): Promise<void> {
  await Promise.allSettled([...started.values()].map((mock) => mock.close()))
}
