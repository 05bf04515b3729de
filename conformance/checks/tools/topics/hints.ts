import { Blocked, NotApplicable, NotCovered } from '../../../engine/index.ts'
import { check } from '../support/define.ts'
import { makePlainCalls, type ObservedRequest, type PlainCall } from '../support/plain-calls.ts'
import { isSuccess } from '../support/results.ts'
import type { ToolsWorld } from '../support/world.ts'
import type { ToolsNeed } from '../target.ts'

/** A call whose requests to the upstream are known. */
type WitnessedCall = PlainCall & { upstreamRequests: readonly ObservedRequest[] }

/** Calls of tools with such hints, with their requests to the upstream; each call was the only one at that time. */
async function witnessed(
  world: ToolsWorld,
  claims: (annotations: Readonly<Record<string, unknown>>) => boolean,
): Promise<readonly WitnessedCall[]> {
  const { transport, tools } = await world.onOneTransport(async (session) => session)
  if (tools.length === 0) throw new Blocked('TOOL-SERVER-01', 'no tools')
  if (!tools.some(({ annotations }) => claims(annotations)))
    throw new NotApplicable('no tool claims it')
  const made = (await makePlainCalls(world, transport)).flatMap((plain) =>
    plain.tool !== undefined &&
    claims(plain.tool.annotations) &&
    plain.upstreamRequests !== undefined
      ? [{ ...plain, upstreamRequests: plain.upstreamRequests }]
      : [],
  )
  if (made.length === 0)
    throw new NotCovered<ToolsNeed>('no tool that claims it may be called', ['tools.calls'])
  if (made.every(({ upstreamRequests }) => upstreamRequests.length === 0)) {
    const failed = made.find(({ exchange, isNamed }) => isNamed && !isSuccess(exchange))
    if (failed !== undefined) throw new Blocked('TOOL-CALL-01', failed.exchange.summary)
    throw new NotCovered('no tool that claims it asked anything of the upstream')
  }
  return made
}

const told = (asked: readonly ObservedRequest[]): string =>
  asked.map(({ method, path }) => `${method} ${path}`).join(', ')

const judge = (
  world: ToolsWorld,
  made: readonly WitnessedCall[],
  methods: readonly string[],
  name: string,
  expected: string,
) => {
  for (const { call, exchange, upstreamRequests } of made) {
    const broken = upstreamRequests.filter(({ method }) => methods.includes(method))
    if (broken.length > 0) world.record(exchange)
    world.expect(exchange, {
      name,
      expected,
      test: () => broken.length === 0,
      received: () => `${call.tool} asked ${told(broken)}`,
    })
    const posts = upstreamRequests.filter(({ method }) => method === 'POST')
    // A POST may search, calculate or log in: what it does, its method does not say.
    if (posts.length > 0) world.observe(`${call.tool} asked ${told(posts)}`)
  }
}

/** What hints claim, against what the upstream saw. */
export const hints = [
  check('TOOL-HINT-07', {
    title: 'changes nothing by tools that only read',
    async run(world) {
      const made = await witnessed(world, ({ readOnlyHint }) => readOnlyHint === true)
      judge(
        world,
        made,
        ['PUT', 'PATCH', 'DELETE'],
        'changes nothing',
        'no PUT, PATCH or DELETE at the upstream',
      )
    },
  }),

  check('TOOL-HINT-08', {
    title: 'deletes nothing by tools that destroy nothing',
    async run(world) {
      // Of a tool that only reads the other row tells.
      const made = await witnessed(
        world,
        ({ readOnlyHint, destructiveHint }) => destructiveHint === false && readOnlyHint !== true,
      )
      judge(world, made, ['DELETE'], 'deletes nothing', 'no DELETE at the upstream')
    },
  }),
]
