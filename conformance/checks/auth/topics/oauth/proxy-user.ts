import { Blocked, type Expectation, NotCovered } from '../../../../engine/index.ts'
import type { IdentityUser, McpExchange } from '../../../../wire/index.ts'
import { listTools, serves } from '../../../tools/support/handshake.ts'
import { Session } from '../../../tools/support/client-session.ts'
import { check } from '../../support/define.ts'
import type { AuthWorld } from '../../support/world.ts'
import { arrivals, type Arrival } from '../../support/oauth/trip.ts'

const patterns = ['oauth-proxy'] as const

/** What a tool told somebody who had come from the identity provider. */
interface Told {
  user: IdentityUser
  text: string
  summary: string
}

/** Has the tool of the target file tell who asks, in a session of that user. */
async function whoami(world: AuthWorld, { trip, tokens }: Arrival): Promise<Told> {
  const { tool, arguments: given } = world.auth.whoami!
  const { door } = await world.place()
  const transport = world.access.http === undefined ? 'sse' : 'http'
  if (!door.transports.includes(transport))
    throw new NotCovered('only stdio, where nobody is asked', ['tools.http', 'tools.sse'])
  const connection = await door.connect(transport, {
    headers: { Authorization: `Bearer ${tokens.access}` },
  })
  try {
    const { handshake, lists } = await listTools(connection, world.note)
    if (!serves(handshake)) throw new Blocked(world.served, handshake.summary)
    const { call } = new Session(connection, handshake, lists, {
      pass: async (send) => world.note(await send()),
    })
    const exchange = await call(tool, given)
    return { user: trip.asked.user, text: textOf(exchange), summary: exchange.summary }
  } finally {
    await connection.close()
  }
}

/** All that a result says, whatever stands where. */
function textOf({ result = {} }: McpExchange): string {
  const content = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : []
  const texts = content.map((part) =>
    typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : '',
  )
  // Markdown may have escaped what stands in a name.
  return [...texts, JSON.stringify(result['structuredContent'] ?? null)]
    .join('\n')
    .replaceAll('\\', '')
    .toLowerCase()
}

/** Whether a text has a word, and not only as a part of another one: the login is not the beginning of the email. */
const says = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.toLowerCase().replace(/\W/g, '\\$&')}(?![\\w@-])`).test(text)

/** Who users are, and what is given for them. */
export const proxyUser = [
  check('AUTH-PROXY-05', {
    title: 'tells its tools login and email of the user',
    patterns,
    async play(world) {
      // Two users, so that nothing that is always told counts.
      const told = await Promise.all((await arrivals(world)).map((one) => whoami(world, one)))
      const tells = (what: 'login' | 'email'): Expectation<readonly Told[]> => ({
        name: `tells the ${what}`,
        expected: `the ${what} of each user: ${told.map(({ user }) => user[what]).join(', ')}`,
        test: (all) => all.every(({ user, text }) => says(text, user[what])),
        received: (all) => all.map(({ summary }) => summary).join(' | '),
      })
      world.expectOf(told, tells('login'), tells('email'))
    },
  }),

  check('AUTH-PROXY-13', {
    title: 'gives its client another token than it got from the identity provider',
    patterns,
    async play(world) {
      const given = (await arrivals(world)).map(
        ({ trip: { asked }, tokens: { access, refresh } }) => ({
          access,
          refresh,
          upstream: asked.exchanges.map(({ token }) => token),
        }),
      )
      type Given = (typeof given)[number]
      const isOwn = (
        name: string,
        token: (one: Given) => string | undefined,
      ): Expectation<readonly Given[]> => ({
        name,
        expected: 'a token of its own',
        test: (all) =>
          all.every((one) => token(one) === undefined || !one.upstream.includes(token(one))),
        received: () => 'the token of the identity provider',
      })
      world.expectOf(
        given,
        isOwn('the access token is its own', ({ access }) => access),
        isOwn('the refresh token is its own', ({ refresh }) => refresh),
      )
    },
  }),
]
