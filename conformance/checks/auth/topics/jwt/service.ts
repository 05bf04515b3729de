import { type Expectation, NotCovered } from '../../../../engine/index.ts'
import type { McpExchange } from '../../../../wire/index.ts'
import {
  isAccessDenied,
  initializeAndListTools,
  isInitialized,
} from '../../../tools/support/handshake.ts'
import { check } from '../../support/define.ts'
import type { AuthWorld } from '../../support/world.ts'
import { mintOf, roundOf } from '../../support/jwt/round.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const isServed: Expectation<McpExchange> = {
  name: 'is served',
  expected: 'a result',
  test: ({ result }) => result !== undefined,
}

/** Whether a transport works at all is these rows' affair. */
const rootOf = { http: 'TOOL-HTTP-01', sse: 'TOOL-SSE-01' } as const

/** Shakes hands with a token, and asks for the tools. Blocks the check where a transport does not serve for another reason than the token. */
async function uses(
  world: AuthWorld,
  transport: 'http' | 'sse',
  token: string,
): Promise<McpExchange> {
  const { note, harness } = world
  const connection = await (
    await harness()
  ).client.connect(transport, { headers: { Authorization: `Bearer ${token}` } })
  try {
    const { handshake, listPages } = await initializeAndListTools(connection, note)
    const answer = isInitialized(handshake) ? (listPages[0] ?? handshake) : handshake
    if (answer.result === undefined && !isAccessDenied(connection, answer))
      await world.requireMet(rootOf[transport], answer.summary)
    return answer
  } finally {
    await connection.close()
  }
}

/** Where tokens are asked for: over stdio nobody is. */
function transportsOf({ access }: AuthWorld): ['http' | 'sse', ...('http' | 'sse')[]] {
  const [first, ...others] = (['http', 'sse'] as const).filter((one) => access[one] !== undefined)
  if (first === undefined)
    throw new NotCovered<ToolsNeed>('only stdio, where nobody is asked', [
      'tools.http',
      'tools.sse',
    ])
  return [first, ...others]
}

/** Rules 1 and 4, and what is recommended of secrets. */
export const serving = [
  check('AUTH-JWT-01', {
    title: 'serves whoever brings a token that verifies',
    patterns: ['jwt'],
    async play(world) {
      const { expectOf } = world
      const mint = await mintOf(world)
      const [first, ...rest] = transportsOf(world)
      for (const transport of [first, ...rest])
        expectOf(await uses(world, transport, mint.good()), isServed)
      // Other forms need the secret; what this row stands for does not.
      for (const { name, token } of mint.variants())
        expectOf(await uses(world, first, token), {
          ...isServed,
          name: `a token ${name}: is served`,
        })
    },
  }),

  check('AUTH-JWT-19', {
    title: 'has a secret of at least 256 bits',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async play(world) {
      const { secret = '' } = world.auth
      const bits = Buffer.byteLength(secret) * 8
      const mint = await mintOf(world)
      const { main } = await roundOf(world)
      const answer = await world.send(main.request(`Bearer ${mint.good()}`))
      world.expect(answer, {
        name: 'has 256 bits',
        expected: 'tokens that verify by a secret of at least 32 bytes',
        test: () => bits >= 256,
        received: () => `${bits / 8} bytes`,
      })
    },
  }),
]
