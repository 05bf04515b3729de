import { expectation } from '../../../../engine/index.ts'
import type { HttpExchange, McpExchange, McpTransport } from '../../../../wire/index.ts'
import { listTools, serves } from '../../handshake.ts'
import { check } from '../define.ts'
import type { AuthWorld } from '../world.ts'
import { mintOf, roundOf } from './round.ts'

const isServed = expectation<McpExchange>('is served', 'a result', ({ result }) => result !== undefined, ({ summary }) => summary)

/** Shakes hands with a token, and asks for the tools. */
async function uses(world: AuthWorld, transport: McpTransport, token: string): Promise<McpExchange> {
  const { note, place } = world
  const connection = await (await place()).door.connect(transport, { headers: { Authorization: `Bearer ${token}` } })
  try {
    const { handshake, lists } = await listTools(connection, note)
    return serves(handshake) ? (lists[0] ?? handshake) : handshake
  } finally {
    await connection.close()
  }
}

/** What is served on none of the transports has not met a token: whether it serves at all is another row's affair. */
const rootOf = { http: 'TOOL-HTTP-01', sse: 'TOOL-SSE-01' } as const

/** Rules 1 and 4, and what is recommended of secrets. */
export const serving = [
  check('AUTH-JWT-01', {
    title: 'serves whoever brings a token that verifies',
    patterns: ['jwt'],
    async play(world) {
      const { access, expectOf, stands } = world
      const mint = await mintOf(world)
      for (const transport of (['http', 'sse'] as const).filter((one) => access[one] !== undefined)) {
        const answer = await uses(world, transport, mint.good())
        const isRefused = answer.httpStatus === 401 || answer.httpStatus === 403
        if (!isRefused && answer.result === undefined) await stands(rootOf[transport], answer.summary)
        expectOf(answer, isServed)
      }
    },
  }),

  check('AUTH-JWT-01', {
    title: 'serves tokens of every form that verifies',
    patterns: ['jwt'],
    needs: ['tools.auth.secret'],
    async play(world) {
      const { access, expectOf } = world
      const transport = access.http === undefined ? 'sse' : 'http'
      const mint = await mintOf(world)
      const usual = await uses(world, transport, mint.good())
      if (usual.result === undefined) await world.stands(rootOf[transport], usual.summary)
      expectOf(usual, isServed)
      for (const { name, token } of mint.others()) expectOf(await uses(world, transport, token), { ...isServed, name: `a token ${name}: is served` })
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
      world.expect(answer, expectation<HttpExchange>('has 256 bits', 'tokens that verify by a secret of at least 32 bytes', () => bits >= 256, () => `${bits / 8} bytes`))
    },
  }),
]
