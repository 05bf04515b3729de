import { Blocked, NotApplicable, NotCovered } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { mayCreate, readEffects } from '../support/effects.ts'
import type { NamedCall } from '../support/named-calls.ts'
import {
  makePlainCalls,
  readingCalls,
  type ObservedRequest,
  type PlainCall,
} from '../support/plain-calls.ts'
import { isSuccess } from '../support/results.ts'
import { callsForItems } from '../support/same-items.ts'
import type { Session } from '../support/client-session.ts'
import { changesDuring, findObservers, findSearchObserver } from '../support/visible-data.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/** A call whose requests to the upstream are known. */
type ObservedCall = PlainCall & { upstreamRequests: readonly ObservedRequest[] }

/** Returns the calls of tools whose hints match, with the upstream requests of each call. */
async function callsWithHint(
  world: ToolsWorld,
  hasHint: (annotations: Readonly<Record<string, unknown>>) => boolean,
): Promise<readonly ObservedCall[]> {
  const { transport, tools } = await world.onOneTransport(async (session) => session)
  if (tools.length === 0) throw new Blocked('TOOL-SERVER-01', 'no tools')
  if (!tools.some(({ annotations }) => hasHint(annotations)))
    throw new NotApplicable('no tool has this hint')
  const calls = (await makePlainCalls(world, transport)).flatMap((plain) =>
    plain.tool !== undefined &&
    hasHint(plain.tool.annotations) &&
    plain.upstreamRequests !== undefined
      ? [{ ...plain, upstreamRequests: plain.upstreamRequests }]
      : [],
  )
  if (calls.length === 0)
    throw new NotCovered<ToolsNeed>('the suite is not allowed to call any tool with this hint', [
      'tools.calls',
    ])
  if (calls.every(({ upstreamRequests }) => upstreamRequests.length === 0)) {
    const failed = calls.find(({ exchange, isNamed }) => isNamed && !isSuccess(exchange))
    if (failed !== undefined) throw new Blocked('TOOL-CALL-01', failed.exchange.summary)
    throw new NotCovered(
      'no tool with this hint sends requests to the upstream, so the effects of these tools are unknown',
    )
  }
  return calls
}

/** A call that was made again, with its effects at the upstream. */
interface RepeatedCall extends ObservedCall {
  /** The requests that created something. */
  readonly creations: readonly ObservedRequest[]
  /** The requests that changed something which the first call did not change. */
  readonly otherChanges: readonly ObservedRequest[]
}

/** Makes each call again, while no other check makes calls. */
async function repeatCalls(
  world: ToolsWorld,
  calls: readonly ObservedCall[],
): Promise<readonly RepeatedCall[]> {
  const { upstream } = await world.harness()
  if (upstream === undefined) return []
  return world.onOneTransport((session) =>
    world.withExclusiveUpstream(session, async (alone) => {
      const repeated: RepeatedCall[] = []
      for (const one of calls) {
        const { result, requests, ...effects } = await readEffects(
          { upstream, timeout: world.timeout, wait: world.wait },
          one.upstreamRequests,
          () => alone.call(one.call.tool, one.call.arguments),
        )
        repeated.push({ ...one, exchange: result, upstreamRequests: requests, ...effects })
      }
      return repeated
    }),
  )
}

const describeRequests = (requests: readonly ObservedRequest[]): string =>
  requests.map(({ method, path }) => `${method} ${path}`).join(', ')

/** Whether the upstream refused a request, so that the request changed nothing. */
const isRefused = ({ status }: ObservedRequest): boolean => status !== undefined && status >= 400

const expectNone = <Call extends ObservedCall>(
  world: ToolsWorld,
  calls: readonly Call[],
  breakingRequests: (call: Call) => readonly ObservedRequest[],
  name: string,
  expected: string,
) => {
  for (const call of calls) {
    const { exchange, upstreamRequests } = call
    const broken = breakingRequests(call)
    if (broken.length > 0) world.record(exchange)
    world.expect(exchange, {
      name,
      expected,
      test: () => broken.length === 0,
      received: () => `${call.call.tool} sent ${describeRequests(broken)}`,
    })
    const posts = upstreamRequests.filter(
      (request) => request.method === 'POST' && !broken.includes(request),
    )
    // Any other POST proves nothing, because it may search, calculate or log in. It is only
    // recorded.
    if (posts.length > 0) world.observe(`${call.call.tool} sent ${describeRequests(posts)}`)
  }
}

const withMethods =
  (...methods: string[]) =>
  ({ upstreamRequests }: ObservedCall): readonly ObservedRequest[] =>
    upstreamRequests.filter((request) => methods.includes(request.method) && !isRefused(request))

interface ChangeOptions {
  observersOf(call: NamedCall): Promise<readonly NamedCall[]>
  ignoresTimes?: boolean
}

/**
 * Makes each call, and expects that tools which only read return the same data before and after it.
 * Not covered if no result shows data.
 */
async function expectNoChanges(
  world: ToolsWorld,
  session: Session,
  calls: readonly NamedCall[],
  { observersOf, ...options }: ChangeOptions,
): Promise<void> {
  let isObserved = false
  for (const call of calls) {
    const observers = await observersOf(call)
    const effects = await world.withExclusiveUpstream(session, (alone) =>
      findEffects(world, alone, call, observers, options),
    )
    if (effects === undefined) continue
    isObserved = true
    const { exchange, changed } = effects
    world.expect(exchange, {
      name: 'changes no data',
      expected: 'the same data before and after a call',
      test: () => changed.length === 0,
      received: () => `after ${call.tool}, these differ: ${changed.slice(0, 3).join('; ')}`,
    })
  }
  if (!isObserved)
    throw new NotCovered<ToolsNeed>(
      'no tool that only reads shows data that the calls may change',
      ['tools.search', 'tools.calls'],
    )
}

/**
 * Makes a call after a first one, and returns the fields that it changes. If it changes some, makes
 * it once more: others may have changed them, so it counts only if it changes data both times.
 * Returns undefined if no result contains data.
 */
async function findEffects(
  world: ToolsWorld,
  session: Session,
  { tool, arguments: args }: NamedCall,
  observers: readonly NamedCall[],
  options: Pick<ChangeOptions, 'ignoresTimes'>,
): Promise<{ exchange: McpExchange; changed: readonly string[] } | undefined> {
  let exchange = await session.call(tool, args)
  const act = async () => (exchange = await session.call(tool, args))
  const changed = await changesDuring(world, session, observers, act, options)
  if (changed === undefined || changed.length === 0) return changed && { exchange, changed }
  const again = await changesDuring(world, session, observers, act, options)
  return { exchange, changed: again?.length === 0 ? [] : changed }
}

export const hintsChecks = [
  check('TOOL-HINT-07', {
    title: 'changes nothing at its upstream in calls of read-only tools',
    async run(world) {
      const calls = await callsWithHint(world, ({ readOnlyHint }) => readOnlyHint === true)
      expectNone(
        world,
        calls,
        withMethods('PUT', 'PATCH', 'DELETE'),
        'changes nothing',
        'no PUT, PATCH or DELETE that the upstream accepted',
      )
      // Judges only repeated calls, because the first call may create a session at the upstream
      // that later calls use.
      expectNone(
        world,
        await repeatCalls(
          world,
          calls.filter(({ upstreamRequests }) => upstreamRequests.some(mayCreate)),
        ),
        ({ creations }) => creations,
        'creates nothing',
        'no POST at the upstream that creates a resource (status 201)',
      )
    },
  }),

  check('TOOL-HINT-08', {
    title: 'deletes nothing at its upstream in calls of tools that are not destructive',
    async run(world) {
      // Read-only tools are covered by TOOL-HINT-07.
      const calls = await callsWithHint(
        world,
        ({ readOnlyHint, destructiveHint }) => destructiveHint === false && readOnlyHint !== true,
      )
      expectNone(
        world,
        calls,
        withMethods('DELETE'),
        'deletes nothing',
        'no DELETE that the upstream accepted',
      )
    },
  }),

  check('TOOL-HINT-09', {
    title: 'has no additional effects at its upstream in repeated calls of idempotent tools',
    async run(world) {
      const calls = await callsWithHint(
        world,
        ({ readOnlyHint, idempotentHint }) => idempotentHint === true && readOnlyHint !== true,
      )
      const successful = calls.filter(({ exchange }) => isSuccess(exchange))
      if (successful.length === 0) throw new Blocked('TOOL-CALL-01', calls[0]!.exchange.summary)
      const repeated = await repeatCalls(world, successful)
      expectNone(
        world,
        repeated,
        ({ creations }) => creations,
        'creates nothing again',
        'no POST at the upstream that creates a resource (status 201) in the second call',
      )
      expectNone(
        world,
        repeated,
        ({ otherChanges }) => otherChanges,
        'changes nothing else',
        'no change of a resource that the first call did not change',
      )
    },
  }),

  check('TOOL-HINT-12', {
    title: 'changes no item of the search in calls of read-only tools',
    needs: ['tools.search'],
    async run(world) {
      const search = await findSearchObserver(world)
      if (search === undefined) throw new Blocked('TOOL-CALL-01', 'the search fails')
      await world.onOneTransport(async (session) => {
        const isReadOnly = ({ tool }: NamedCall) =>
          session.tools.find(({ name }) => name === tool)?.annotations['readOnlyHint'] === true
        const forItems = (await callsForItems(world)).map(({ call }) => call)
        const others = (await readingCalls(world, search.tool))
          .map(({ call }) => call)
          .filter(({ tool }) => !forItems.some((call) => call.tool === tool))
        const calls = [...forItems, ...others].filter(isReadOnly)
        if (calls.length === 0)
          throw new NotCovered<ToolsNeed>('the suite may call no other read-only tool', [
            'tools.calls',
          ])
        await expectNoChanges(world, session, calls, {
          observersOf: () => Promise.resolve([search]),
        })
      })
    },
  }),

  check('TOOL-HINT-13', {
    title: 'changes no item in repeated calls of idempotent tools',
    async run(world) {
      const { transport } = await world.onOneTransport(async (session) => session)
      const calls = (await makePlainCalls(world, transport)).filter(
        ({ tool, exchange }) =>
          tool?.annotations['idempotentHint'] === true &&
          tool.annotations['readOnlyHint'] !== true &&
          isSuccess(exchange),
      )
      if (calls.length === 0)
        throw new NotCovered<ToolsNeed>('the suite may call no tool whose idempotentHint is true', [
          'tools.calls',
        ])
      await world.onOneTransport((session) =>
        expectNoChanges(
          world,
          session,
          calls.map(({ call }) => call),
          {
            observersOf: (call) => findObservers(world, call),
            // A service may state the time of the last call.
            ignoresTimes: true,
          },
        ),
      )
    },
  }),

  check('TOOL-HINT-14', {
    title: 'has no closed world if a tool uses the upstream',
    async run(world) {
      const calls = await callsWithHint(
        world,
        ({ openWorldHint }) => typeof openWorldHint === 'boolean',
      )
      for (const { call, tool, exchange, upstreamRequests } of calls)
        if (upstreamRequests.length > 0)
          world.expect(exchange, {
            name: 'is open',
            expected: 'openWorldHint: true of a tool that sends requests to its upstream',
            test: () => tool?.annotations['openWorldHint'] !== false,
            received: () => `${call.tool} sent ${describeRequests(upstreamRequests)}`,
          })
    },
  }),

  check('TOOL-HINT-10', {
    title: 'records which tools with openWorldHint use the upstream',
    async run(world) {
      const calls = await callsWithHint(
        world,
        ({ openWorldHint }) => typeof openWorldHint === 'boolean',
      )
      for (const { call, tool, upstreamRequests } of calls)
        world.observe(
          `${call.tool}: openWorldHint is ${String(tool?.annotations['openWorldHint'])}, ${upstreamRequests.length === 0 ? 'and it sent nothing to the upstream' : `and it sent ${describeRequests(upstreamRequests)}`}`,
        )
    },
  }),
]
