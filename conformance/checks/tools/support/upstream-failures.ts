import { Blocked, NotCovered } from '../../../engine/index.ts'
import type {
  McpExchange,
  FakeUpstream,
  UpstreamMode,
  UpstreamFilter,
} from '../../../wire/index.ts'
import { isSuccess, textsOf } from './results.ts'
import type { Session } from './client-session.ts'
import { measureWaits, measureWaitsByClock, type MeasuredWait } from './waits.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** The failures that the suite plays, but for silence. */
const modes = {
  'status 404': { status: 404 },
  'status 403': { status: 403 },
  'status 429': { status: 429 },
  'status 401': { status: 401 },
  'status 500': { status: 500 },
  'status 503': { status: 503 },
  reset: 'reset',
  garbage: 'garbage',
} as const satisfies Record<string, UpstreamMode>

export type UpstreamFailureMode = keyof typeof modes | 'hang'
export const allFailures = [
  ...(Object.keys(modes) as (keyof typeof modes)[]),
  'hang',
] as const satisfies readonly UpstreamFailureMode[]

/** A failure as people read it. */
export const labelOf = (failure: UpstreamFailureMode): string =>
  failure === 'reset'
    ? 'a connection that is reset'
    : failure === 'garbage'
      ? 'an answer that is no JSON'
      : failure === 'hang'
        ? 'no answer'
        : failure

/** How long a call is waited for whose upstream says nothing, in milliseconds: longer than the longest legal time-out. */
const silenceTimeout = 45_000
/** Milliseconds between tries to find a tool at work again. */
const pauses = [0, 500, 1000, 2000, 4000, 8000, 16_000]

/** What the tool said of each failure, once for each transport. Each resolves when its failure was played. */
export interface UpstreamFailures {
  of(failure: UpstreamFailureMode): Promise<readonly McpExchange[]>
  /** How long calls waited for no answer. */
  readonly waits: Promise<readonly MeasuredWait[]>
  /** The same call after failures that were told at once, and after silence. */
  recovery: {
    readonly failures: Promise<readonly McpExchange[]>
    readonly silence: Promise<readonly McpExchange[]>
  }
}

/** Plays all failures, one after the other, for the requests that the `get` call makes; once in a run. */
export const simulateFailures = (world: ToolsWorld): Promise<UpstreamFailures> =>
  world.shared('failures of the upstream', simulateAll)

async function simulateAll(world: ToolsWorld): Promise<UpstreamFailures> {
  const { access, withExclusiveUpstream, onEachTransport, openSession, harness } = world
  const { upstream } = await harness()
  if (upstream?.forward === undefined)
    throw new NotCovered<ToolsNeed>('the suite plays no upstream that could fail', [
      'tools.upstream.forward',
    ])
  const sessions = await onEachTransport((session) => openSession(session.transport))
  const only = await withExclusiveUpstream(sessions[0]!, async (session) =>
    observeLastRequest(upstream, () => world.callOrBlock(session, access.get!)),
  )
  const call = (session: Session, timeout?: number) =>
    session.call(
      access.get!.tool,
      access.get!.arguments,
      timeout === undefined ? {} : { timeout, idle: timeout },
    )

  const told = new Map<UpstreamFailureMode, Promise<readonly McpExchange[]>>()
  let last: Promise<unknown> = Promise.resolve()
  for (const [failure, mode] of Object.entries(modes) as [UpstreamFailureMode, UpstreamMode][]) {
    const exchanges = last.then(() =>
      withExclusiveUpstream(sessions[0]!, async () => {
        const found: McpExchange[] = []
        for (const session of sessions.map(world.withoutLock)) {
          const playing = upstream.override(mode, only)
          const exchange = await call(session)
          playing.stop()
          // Who did not ask, knew the answer already, or spares an upstream that has failed.
          if (playing.count > 0) found.push(exchange)
          // Failures in a row are what such a server counts.
          await call(session)
        }
        return found
      }),
    )
    told.set(failure, exchanges)
    last = settled(exchanges)
  }
  const failures = last.then(() => callUntilSuccess(world, sessions, call))
  const hanging = settled(failures).then(() =>
    withExclusiveUpstream(sessions[0]!, async () => {
      const waiting: Promise<McpExchange>[] = []
      // A clock that is set from outside is the server's, and not that of a subprocess.
      const served = sessions.filter(({ transport }) => transport !== 'stdio')
      const clock = served.length === 0 ? undefined : access.clock
      for (const session of clock === undefined ? sessions : served) {
        const playing = upstream.override('hang', { ...only, times: 1 })
        // It is not the gate's affair how long others wait.
        const exchange = call(
          session.withRunner({ run: async (send) => world.record(await send()) }),
          clock === undefined ? silenceTimeout : world.timeout,
        )
        await Promise.race([playing.exhausted, exchange])
        playing.stop()
        if (playing.count > 0) waiting.push(exchange)
      }
      // Nobody else waits by the target's clock while it is set ahead.
      return {
        waited:
          clock === undefined
            ? measureWaits(waiting)
            : Promise.resolve(await measureWaitsByClock(world, clock, served, waiting)),
      }
    }),
  )
  const waits = hanging.then(({ waited }) => waited)
  told.set(
    'hang',
    waits.then((all) => all.map(({ exchange }) => exchange)),
  )
  const silence = settled(told.get('hang')!).then(() => callUntilSuccess(world, sessions, call))
  const all = [...told.values(), failures, silence].map(settled)
  void Promise.all(all).then(() => sessions.map(({ connection }) => connection.close()))
  return { of: (failure) => told.get(failure)!, waits, recovery: { failures, silence } }
}

/** What a call asked its upstream for: the last request, since those before it may be for leave to ask. */
async function observeLastRequest(
  { requests }: FakeUpstream,
  work: () => Promise<unknown>,
): Promise<UpstreamFilter> {
  const before = requests.at(-1)
  await work()
  const last = requests.at(-1)
  if (last === undefined || last === before)
    throw new NotCovered<ToolsNeed>('the tool did not ask its upstream', ['tools.get'])
  return { method: last.method, path: last.path }
}

/** The exchanges of one failure. Blocked where they have no text, by the row that says that failures are told as text; not covered where nobody asked the upstream. */
export async function requireErrorTexts(
  world: ToolsWorld,
  failure: UpstreamFailureMode,
): Promise<readonly McpExchange[]> {
  const exchanges = await exchangesFor(world, failure)
  const silent = exchanges.find((exchange) => textsOf(exchange).length === 0)
  if (silent !== undefined)
    throw new Blocked(
      silent.failure === undefined || failure !== 'hang' ? 'TOOL-ERROR-01' : 'TOOL-TIMEOUT-01',
      silent.summary,
    )
  return exchanges
}

/** The same, whatever was answered. */
export async function exchangesFor(
  world: ToolsWorld,
  failure: UpstreamFailureMode,
): Promise<readonly McpExchange[]> {
  const exchanges = await (await simulateFailures(world)).of(failure)
  if (exchanges.length === 0)
    throw new NotCovered<ToolsNeed>('the tool did not ask its upstream again: it knew the answer', [
      'tools.get',
    ])
  return exchanges.map(world.record)
}

/** Calls until the tool works, with growing pauses: servers may spare an upstream that has failed for a while. */
function callUntilSuccess(
  world: ToolsWorld,
  sessions: readonly Session[],
  call: (session: Session) => Promise<McpExchange>,
): Promise<readonly McpExchange[]> {
  return Promise.all(
    sessions.map(async (session) => {
      let exchange: McpExchange | undefined
      for (const pause of pauses) {
        await world.wait(pause)
        exchange = await call(session)
        if (isSuccess(exchange)) break
      }
      return exchange!
    }),
  )
}

const settled = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => {},
    () => {},
  )
