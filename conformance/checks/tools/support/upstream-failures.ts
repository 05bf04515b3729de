import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { McpExchange, McpExchangeOptions, UpstreamMode } from '../../../wire/index.ts'
import { hasFormats } from './tool.ts'
import { isSuccess, textsOf } from './results.ts'
import type { Session } from './client-session.ts'
import { callsWithUpstream, callWithFailingUpstream } from './other-tools.ts'
import { observeLastRequest } from './upstream-request.ts'
import { servesMeanwhile, WaitingCalls } from './waiting-calls.ts'
import { measureStalls, measureWaits, measureWaitsByClock, type MeasuredWait } from './waits.ts'
import type { ToolsWorld } from './world.ts'
import type { ToolsNeed } from '../target.ts'

/** The simulated failures of the upstream, except silence. */
const modes = {
  'status 404': { status: 404 },
  'status 403': { status: 403 },
  'status 429': { status: 429 },
  'status 401': { status: 401 },
  'status 500': { status: 500 },
  'status 503': { status: 503 },
  'status 400': { status: 400 },
  'status 409': { status: 409 },
  'status 502': { status: 502 },
  reset: 'reset',
  garbage: 'garbage',
} as const satisfies Record<string, UpstreamMode>

export type UpstreamFailureMode = keyof typeof modes | 'hang'
export const allFailures = [
  ...(Object.keys(modes) as (keyof typeof modes)[]),
  'hang',
] as const satisfies readonly UpstreamFailureMode[]

export const labelOf = (failure: UpstreamFailureMode): string =>
  failure === 'reset'
    ? 'a connection reset'
    : failure === 'garbage'
      ? 'a response that is not JSON'
      : failure === 'hang'
        ? 'no response'
        : failure

/**
 * How long the suite waits for a call with a silent upstream, in ms: longer than any allowed
 * timeout.
 */
const silenceTimeout = 45_000
/** The maximum time until a call's request arrives at the upstream, in milliseconds. */
const arrivalTime = 1000
/** The pause before each attempt to call a tool that may have recovered, in milliseconds. */
const pauses = [0, 500, 1000, 2000, 4000, 8000, 16_000]

/**
 * The exchanges during each failure: at most one call of the `get` tool for each transport, and
 * calls of other tools.
 */
export interface UpstreamFailures {
  /** Resolves to the exchanges during this failure, when its simulation is over. */
  of(failure: UpstreamFailureMode): Promise<readonly McpExchange[]>
  /** How long calls waited for the silent upstream. */
  readonly waits: Promise<readonly MeasuredWait[]>
  /**
   * The exchanges of the `get` call when the upstream works again: first after the failures in
   * `modes`, then after the silent upstream.
   */
  recovery: {
    readonly failures: Promise<readonly McpExchange[]>
    readonly silence: Promise<readonly McpExchange[]>
  }
}

/** Simulates all failures in sequence for the upstream request of the `get` call; once in a run. */
export const simulateFailures = (world: ToolsWorld): Promise<UpstreamFailures> =>
  world.shared('failures of the upstream', simulateAll)

async function simulateAll(world: ToolsWorld): Promise<UpstreamFailures> {
  const { target, withExclusiveUpstream, onEachTransport, openSession, harness } = world
  const { upstream } = await harness()
  if (upstream?.forward === undefined)
    throw new NotCovered<ToolsNeed>('the suite cannot simulate failures of the upstream', [
      'tools.upstream.forward',
    ])
  const sessions = await onEachTransport((session) =>
    openSession(session.transport, { reconnects: true }),
  )
  const { method, path } = await withExclusiveUpstream(sessions[0]!, async (session) =>
    observeLastRequest(upstream, () => world.callOrBlock(session, target.get!)),
  )
  const filter = { method, path }
  const others = (await callsWithUpstream(world)).filter(
    ({ call: { tool } }) => tool !== target.get!.tool,
  )
  const call = (session: Session, options: McpExchangeOptions & { format?: string } = {}) => {
    const { format, ...rest } = options
    const tool = session.tools.find(({ name }) => name === target.get!.tool)
    const formatted = format !== undefined && hasFormats(tool) ? { response_format: format } : {}
    return session.call(target.get!.tool, { ...target.get!.arguments, ...formatted }, rest)
  }

  const exchangesByFailure = new Map<UpstreamFailureMode, Promise<readonly McpExchange[]>>()
  let last: Promise<unknown> = Promise.resolve()
  for (const [index, [failure, mode]] of Object.entries(modes).entries()) {
    const exchanges = last.then(() =>
      withExclusiveUpstream(sessions[0]!, async () => {
        const found: McpExchange[] = []
        for (const session of sessions.map(world.withoutLock)) {
          const override = upstream.override(mode, filter)
          // Alternates the format, because a failure must be reported as text in either format.
          const exchange = await call(session, { format: index % 2 === 0 ? 'markdown' : 'json' })
          override.stop()
          // If no request arrived, the server has cached the response, or its circuit breaker is
          // open.
          if (override.count > 0) found.push(exchange)
          // Makes a successful call after each failure, because circuit breakers count consecutive
          // failures.
          await call(session)
        }
        if (failure === 'status 500')
          found.push(
            ...(await callWithFailingUpstream(
              upstream,
              mode,
              world.withoutLock(sessions[0]!),
              others,
            )),
          )
        return found
      }),
    )
    exchangesByFailure.set(failure as UpstreamFailureMode, exchanges)
    last = settled(exchanges)
  }
  const failures = last.then(() => callUntilSuccess(world, sessions, (session) => call(session)))
  const hanging = settled(failures).then(() =>
    withExclusiveUpstream(sessions[0]!, async () => {
      const started = performance.now()
      const stalls = measureStalls(world.clock)
      // The test endpoint `tools.clock` sets the clock of the HTTP server, not of a subprocess.
      const served = sessions.filter(({ transport }) => transport !== 'stdio')
      const clock = served.length === 0 ? undefined : target.clock
      const timeout = clock === undefined ? silenceTimeout : world.timeout
      // These calls use neither the upstream lock nor the gate (the limit on concurrent requests),
      // because they would block other calls while they wait.
      const waiting = new WaitingCalls(upstream, { timeout, idle: timeout }, (session) =>
        session.withRunner({ run: async (_, send) => world.record(await send()) }),
      )
      const used = clock === undefined ? sessions : served
      for (const session of used)
        await waiting.start(session, { call: target.get!, filter, mode: 'hang' })
      // If the server serves one request at a time, further calls would wait for the earlier ones.
      if (await servesMeanwhile(world, used[0]!)) {
        await waiting.start(used[0]!, { call: target.get!, filter, mode: 'stall' }, arrivalTime)
        // Other tools are called only if `tools.clock` is set. Without `tools.clock`, the lock is
        // released while these calls wait, and calls of other checks would get the simulated
        // failures.
        for (const other of clock === undefined ? [] : others)
          await waiting.start(used[0]!, { ...other, mode: 'hang', isOther: true }, arrivalTime)
      }
      const calls = waiting.arrived
      // The lock is held while the target's clock is ahead, because other calls use that clock too.
      return {
        waited:
          clock === undefined
            ? measureWaits(calls, stalls)
            : Promise.resolve(
                await waiting.finish(
                  await measureWaitsByClock(world, clock, served, calls, started),
                ),
              ),
      }
    }),
  )
  const waits = hanging.then(({ waited }) => waited)
  exchangesByFailure.set(
    'hang',
    waits.then((all) => all.map(({ exchange }) => exchange)),
  )
  const silence = settled(exchangesByFailure.get('hang')!).then(() =>
    callUntilSuccess(world, sessions, (session) => call(session)),
  )
  const all = [...exchangesByFailure.values(), failures, silence].map(settled)
  void Promise.all(all).then(() => sessions.map(({ connection }) => connection.close()))
  return {
    of: (failure) => exchangesByFailure.get(failure)!,
    waits,
    recovery: { failures, silence },
  }
}

/**
 * Returns the exchanges during one failure. If a result has no text, TOOL-ERROR-01 or
 * TOOL-TIMEOUT-01 reports it and blocks the check. Throws `NotCovered` if the tool sent no request
 * to the upstream.
 */
export async function requireErrorTexts(
  world: ToolsWorld,
  failure: UpstreamFailureMode,
): Promise<readonly McpExchange[]> {
  const exchanges = await exchangesFor(world, failure)
  const withoutText = exchanges.find((exchange) => textsOf(exchange).length === 0)
  if (withoutText !== undefined)
    throw new Blocked(
      withoutText.failure === undefined || failure !== 'hang' ? 'TOOL-ERROR-01' : 'TOOL-TIMEOUT-01',
      withoutText.summary,
    )
  return exchanges
}

/**
 * Returns the exchanges during one failure, whatever the responses. Throws `NotCovered` if the
 * list of exchanges is empty.
 */
export async function exchangesFor(
  world: ToolsWorld,
  failure: UpstreamFailureMode,
): Promise<readonly McpExchange[]> {
  const exchanges = await (await simulateFailures(world)).of(failure)
  if (exchanges.length === 0)
    throw new NotCovered<ToolsNeed>(
      'the tool did not send its request to the upstream again, possibly because its response is cached',
      ['tools.get'],
    )
  return exchanges.map(world.record)
}

/**
 * Repeats the call until it succeeds, with growing pauses, because a circuit breaker may be open.
 */
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
