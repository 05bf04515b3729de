import { Blocked, NotApplicable, NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import {
  makePlainCalls,
  recordUpstreamRequests,
  type ObservedRequest,
  type PlainCall,
} from '../support/plain-calls.ts'
import { isSuccess } from '../support/results.ts'
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

/** Makes each call again, while no other check makes calls. */
async function repeatCalls(
  world: ToolsWorld,
  calls: readonly ObservedCall[],
): Promise<readonly ObservedCall[]> {
  const { upstream } = await world.harness()
  if (upstream === undefined) return []
  return world.onOneTransport((session) =>
    world.withExclusiveUpstream(session, async (alone) => {
      const repeated: ObservedCall[] = []
      for (const one of calls) {
        const requestsSince = recordUpstreamRequests(upstream)
        const exchange = await alone.call(one.call.tool, one.call.arguments)
        repeated.push({ ...one, exchange, upstreamRequests: requestsSince() })
      }
      return repeated
    }),
  )
}

const describeRequests = (requests: readonly ObservedRequest[]): string =>
  requests.map(({ method, path }) => `${method} ${path}`).join(', ')

/**
 * Whether a request created something at the upstream: status 201 with the new resource in Location
 * (RFC 9110 §15.3.2). A response without Location does not count, because frameworks may return 201
 * for every POST.
 */
const isCreation = ({ method, status, location }: ObservedRequest): boolean =>
  method === 'POST' && status === 201 && location !== undefined

const expectNone = (
  world: ToolsWorld,
  calls: readonly ObservedCall[],
  isBreaking: (request: ObservedRequest) => boolean,
  name: string,
  expected: string,
) => {
  for (const { call, exchange, upstreamRequests } of calls) {
    const broken = upstreamRequests.filter(isBreaking)
    if (broken.length > 0) world.record(exchange)
    world.expect(exchange, {
      name,
      expected,
      test: () => broken.length === 0,
      received: () => `${call.tool} sent ${describeRequests(broken)}`,
    })
    const posts = upstreamRequests.filter(
      (request) => request.method === 'POST' && !isBreaking(request),
    )
    // Any other POST proves nothing, because it may search, calculate or log in. It is only
    // recorded.
    if (posts.length > 0) world.observe(`${call.tool} sent ${describeRequests(posts)}`)
  }
}

export const hintsChecks = [
  check('TOOL-HINT-07', {
    title: 'changes nothing at its upstream in calls of read-only tools',
    async run(world) {
      const calls = await callsWithHint(world, ({ readOnlyHint }) => readOnlyHint === true)
      expectNone(
        world,
        calls,
        ({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method),
        'changes nothing',
        'no PUT, PATCH or DELETE at the upstream',
      )
      // Judges only repeated calls, because the first call may create a session at the upstream
      // that later calls use.
      expectNone(
        world,
        await repeatCalls(
          world,
          calls.filter(({ upstreamRequests }) => upstreamRequests.some(isCreation)),
        ),
        isCreation,
        'creates nothing',
        'no POST at the upstream with status 201 and Location',
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
        ({ method }) => method === 'DELETE',
        'deletes nothing',
        'no DELETE at the upstream',
      )
    },
  }),

  check('TOOL-HINT-09', {
    title: 'creates nothing at its upstream in repeated calls of idempotent tools',
    async run(world) {
      const calls = await callsWithHint(
        world,
        ({ readOnlyHint, idempotentHint }) => idempotentHint === true && readOnlyHint !== true,
      )
      const successful = calls.filter(({ exchange }) => isSuccess(exchange))
      if (successful.length === 0) throw new Blocked('TOOL-CALL-01', calls[0]!.exchange.summary)
      expectNone(
        world,
        await repeatCalls(world, successful),
        isCreation,
        'creates nothing again',
        'no POST at the upstream with status 201 and Location in the second call',
      )
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
