import { loadSubject, subjects } from './checks/index.ts'
import { newGate, processClock } from './engine/index.ts'
import { sectionsOf } from './suite.ts'
import { secretsOf, type Target } from './target.ts'
import { tcpAddressOf, whyNotConnected, type TcpAddress } from './wire/connect.ts'
import { HttpClient, newRedactor } from './wire/index.ts'

export interface PreflightOptions {
  /** How long to wait for servers that do not listen yet, in milliseconds. */
  readonly wait: number
  /** Called once for each server that does not listen yet: with its address, and the reason. */
  onWait?(address: string, reason: string): void
}

/** The pause between two attempts to connect, in milliseconds. */
const pause = 200

/**
 * Finds mistakes in a target file that would block most checks: servers that do not listen, wrong
 * paths, refused tokens. Resolves to one line for each mistake, without secrets. Paths and tokens
 * of a server that does not listen are not examined.
 */
export async function findMistakes(target: Target, options: PreflightOptions): Promise<string[]> {
  const sections = sectionsOf(target)
  const entries = subjects.filter(({ section }) => sections.includes(section.name))
  const found = await Promise.all(
    entries.map(async (entry) => {
      const { preflight } = await loadSubject(entry)
      const own = target[entry.section.name]
      const addresses = Object.entries(preflight.addresses(own)).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      const unreachable = await Promise.all(
        addresses.map(([key, address]) => findUnreachable(key, address, options)),
      )
      const problems = unreachable.filter((problem) => problem !== undefined)
      if (problems.length > 0 || preflight.findMistake === undefined) return problems
      const client = newClient(target)
      try {
        return [await preflight.findMistake(own, client)].filter((one) => one !== undefined)
      } finally {
        client.close()
      }
    }),
  )
  return found.flat().map(newRedactor(secretsOf(target)).sentence)
}

/** The addresses of the target's servers: URLs, or hosts with ports. */
export async function addressesOf(target: Target): Promise<string[]> {
  const sections = sectionsOf(target)
  const found = await Promise.all(
    subjects
      .filter(({ section }) => sections.includes(section.name))
      .map(async (entry) => {
        const { preflight } = await loadSubject(entry)
        return Object.values(preflight.addresses(target[entry.section.name]))
      }),
  )
  return found.flat().filter((address) => address !== undefined)
}

/**
 * Tries to connect until that succeeds or `wait` has passed. `key` is the key or option that
 * contains the address. Resolves to the problem, if there is one.
 */
export async function findUnreachable(
  key: string,
  address: string,
  { wait, onWait }: PreflightOptions,
): Promise<string | undefined> {
  const { host, port } = parseAddress(address)
  const name = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const started = processClock.now()
  let isAnnounced = false
  for (;;) {
    const reason = await whyNotConnected({ host, port })
    if (reason === undefined) return undefined
    if (processClock.now() - started + pause > wait)
      return `${name}: ${reason}. Is the server running? (${key})`
    if (!isAnnounced) onWait?.(name, reason)
    isAnnounced = true
    await processClock.sleep(pause)
  }
}

/** Reads a URL, or a host with a port. */
export function parseAddress(address: string): TcpAddress {
  return tcpAddressOf(address.includes('://') ? address : `http://${address}`)
}

const newClient = (target: Target) =>
  new HttpClient({
    gate: newGate({ concurrency: 4, pace: target.suite.pace, clock: processClock }),
    timeout: target.suite.timeout,
    secrets: secretsOf(target),
    rateLimitWait: 0,
  })
