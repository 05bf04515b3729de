import { type Expectation, labelled, NotCovered } from '../../../../engine/index.ts'
import type { McpExchange } from '../../../../wire/index.ts'
import {
  isAccessDenied,
  initializeAndListTools,
  isInitialized,
} from '../../../tools/support/handshake.ts'
import { check } from '../../support/define.ts'
import { served } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import {
  getMint,
  getForgeryRound,
  getValidToken,
  getVariants,
} from '../../support/jwt/forgery-round.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const isServed: Expectation<McpExchange> = {
  name: 'is served',
  expected: 'a result',
  test: ({ result }) => result !== undefined,
}

/** For each transport, the requirement that it works. */
const transportRequirements = { http: 'TOOL-HTTP-01', sse: 'TOOL-SSE-01' } as const

/**
 * Opens a session with a token and lists the tools. Blocks the check if the transport fails for a
 * reason other than the token.
 */
async function useTransport(
  world: AuthWorld,
  transport: 'http' | 'sse',
  token: string,
): Promise<McpExchange> {
  const { record, harness, runThroughGate } = world
  const { client } = await harness()
  const connection = await runThroughGate(() =>
    client.connect(transport, { headers: { Authorization: `Bearer ${token}` } }),
  )
  try {
    const { handshake, listPages } = await runThroughGate(() =>
      initializeAndListTools(connection, record),
    )
    const exchange = isInitialized(handshake) ? (listPages[0] ?? handshake) : handshake
    if (exchange.result === undefined && !isAccessDenied(connection, exchange))
      await world.requireMet(transportRequirements[transport], exchange.summary)
    return exchange
  } finally {
    await connection.close()
  }
}

/** The transports that require tokens. The transport stdio has no authentication. */
function transportsOf({ target }: AuthWorld): ['http' | 'sse', ...('http' | 'sse')[]] {
  const [first, ...others] = (['http', 'sse'] as const).filter((one) => target[one] !== undefined)
  if (first === undefined)
    throw new NotCovered<ToolsNeed>('stdio has no authentication', ['tools.http', 'tools.sse'])
  return [first, ...others]
}

/** Checks of access with a valid token, and of the length of the secret. */
export const serviceChecks = [
  check('AUTH-JWT-01', {
    title: 'accepts every valid token',
    patterns: ['jwt'],
    async run(world) {
      const validToken = await getValidToken(world)
      const [first, ...rest] = transportsOf(world)
      for (const transport of [first, ...rest])
        world.expect(await useTransport(world, transport, validToken), isServed)
      // Signing tokens in other forms requires the secret. Without it, only the token of the target
      // file is tried.
      for (const { name, token } of await getVariants(world))
        world.expect(await useTransport(world, first, token), labelled(`a token ${name}`, isServed))
    },
  }),

  check('AUTH-JWT-28', {
    title: 'accepts the scheme Bearer in lower case',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async run(world) {
      const { mainEndpoint } = await getForgeryRound(world)
      const authorization = `bearer ${await getValidToken(world)}`
      world.expect(await world.send(mainEndpoint.request(authorization)), served)
    },
  }),

  check('AUTH-JWT-19', {
    title: 'uses a secret of at least 256 bits',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async run(world) {
      const { secret = '' } = world.auth
      const bits = Buffer.byteLength(secret) * 8
      const mint = await getMint(world)
      const { mainEndpoint } = await getForgeryRound(world)
      await world.send(mainEndpoint.request(`Bearer ${mint.validToken()}`))
      // No exchange shows the size of the secret, so the finding refers to none.
      world.expectValue(bits, {
        name: 'has 256 bits',
        expected: 'a secret of at least 32 bytes',
        test: (size) => size >= 256,
        received: (size) => `${size / 8} bytes`,
      })
    },
  }),
]
