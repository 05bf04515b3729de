import { mockOf, type MockKind, type Running } from '../registry.ts'
import { malform } from './mutations.ts'
import { SeededRandom } from './random.ts'
import { sendBytes } from './send.ts'
import { senders } from './valid-requests.ts'

/** How many requests are sent at the same time. */
const parallel = 16

/** A mock to attack, and how it is started. */
export interface Victim {
  readonly name: string
  /** The name of the mock in the registry. */
  readonly mock: string
  readonly kind: MockKind
  readonly auth?: 'jwt' | 'oauth-provider'
}

export const victims: readonly Victim[] = [
  { name: 'images', mock: 'images', kind: 'stateful' },
  { name: 'images (contract)', mock: 'images', kind: 'contract' },
  { name: 'hooks', mock: 'hooks', kind: 'stateful' },
  { name: 'hooks (contract)', mock: 'hooks', kind: 'contract' },
  { name: 'receiver', mock: 'receiver', kind: 'stateful' },
  { name: 'tools', mock: 'tools', kind: 'stateful' },
  { name: 'tools (jwt)', mock: 'tools', kind: 'stateful', auth: 'jwt' },
  { name: 'oauth', mock: 'tools', kind: 'stateful', auth: 'oauth-provider' },
  { name: 'identity', mock: 'identity', kind: 'stateful' },
]

export const startVictim = ({ mock, kind, auth }: Victim): Promise<Running> =>
  mockOf(mock).start({ kind, ports: {}, ...(auth === undefined ? {} : { auth }) })

/** What a mock did with malformed requests. */
export interface AttackResult {
  /** The number of responses with each status; 0 is a connection without a response. */
  readonly statuses: Readonly<Record<number, number>>
  /**
   * The beginnings of requests that had a response with status 5xx, or no response within a
   * minute.
   */
  readonly suspicious: readonly string[]
  /** Requests whose response contains a file of this machine. */
  readonly leaks: readonly string[]
}

/** Sends malformed requests to a mock. The same seed makes the same requests. */
export async function attack(
  victim: Victim,
  mock: Running,
  { count, seed }: { count: number; seed: number },
): Promise<AttackResult> {
  const random = new SeededRandom(seed)
  const hosts = (senders[victim.name.split(' ')[0]!] ?? senders[victim.mock]!)(mock)
  const statuses: Record<number, number> = {}
  const suspicious: string[] = []
  const leaks: string[] = []
  let left = count
  const work = async () => {
    while (left > 0) {
      left -= 1
      const { host, requests } = random.pick(hosts)
      const bytes = malform(random.pick(requests), random)
      const port = Number(new URL(mock.urls[host]!).port)
      const { status, text, isSilent } = await sendBytes(port, bytes)
      statuses[status] = (statuses[status] ?? 0) + 1
      const shown = `${status} ${JSON.stringify(bytes.toString('latin1').slice(0, 600))}`
      if (status >= 500 || isSilent) suspicious.push(shown)
      if (/root:.*:0:0:/.test(text)) leaks.push(shown)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return { statuses, suspicious, leaks }
}
