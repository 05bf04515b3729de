import {
  defaultJwtRules,
  type JwtPart,
} from '../../../../../mocks/stateful/tools/auth/jwt/rules.ts'
import {
  fault,
  withChoices,
  type MakeAuthDeviation,
  replaceRules,
  waitForNext,
} from '../building.ts'

/** Changes the claims of valid tokens. `session` is the id of the session of the request. */
const changeClaims = (
  makeChange: () => (claims: JwtPart, session: string | undefined) => JwtPart | Promise<JwtPart>,
): MakeAuthDeviation =>
  replaceRules((_rules, hit) => {
    const change = makeChange()
    let lastSession: string | undefined
    return {
      jwt: {
        requiresToken({ session }) {
          lastSession = session
          return true
        },
        async verifySignature(token, secret, choices) {
          const session = lastSession
          const verified = await defaultJwtRules.verifySignature(token, secret, choices)
          if (verified === undefined) return undefined
          const claims = await change(verified.claims, session)
          if (claims !== verified.claims) hit()
          return { ...verified, claims }
        },
      },
    }
  })

/** Copies the user of the claims `from`. */
const withUser = (claims: JwtPart, { sub, email }: JwtPart): JwtPart =>
  claims['sub'] === sub && claims['email'] === email ? claims : { ...claims, sub, email }

/** Remembers the first claims for each key. */
const rememberFirst =
  (
    keyOf: (claims: JwtPart, session: string | undefined) => unknown,
    copies = withUser,
  ): (() => (claims: JwtPart, session: string | undefined) => JwtPart) =>
  () => {
    const first = new Map<unknown, JwtPart>()
    return (claims, session) => {
      const key = keyOf(claims, session)
      if (key === undefined) return claims
      const known = first.get(key) ?? claims
      first.set(key, known)
      return copies(claims, known)
    }
  }

/** Shows the user of the request that arrived last. */
const showLatest = () => {
  let latest: JwtPart = {}
  const untilNext = waitForNext()
  return async (claims: JwtPart): Promise<JwtPart> => {
    latest = claims
    await untilNext()
    return withUser(claims, latest)
  }
}

const misread = (change: (text: string) => string): MakeAuthDeviation =>
  changeClaims(() => (claims) => {
    const { sub } = claims
    const changed = typeof sub === 'string' ? change(sub) : sub
    return changed === sub ? claims : { ...claims, sub: changed }
  })

/** Faults in the users whom tools see. */
export const users = [
  fault(
    'first-user-is-shown',
    'Shows the first user to all users.',
    ['AUTH-JWT-32'],
    changeClaims(rememberFirst(() => 'all')),
  ),
  fault(
    'users-swap-emails',
    'Shows each user the email of the user before.',
    ['AUTH-JWT-32'],
    changeClaims(() => {
      let last: JwtPart = {}
      return (claims) => {
        if (claims['sub'] === last['sub']) return claims
        const changed = last['email'] === undefined ? claims : { ...claims, email: last['email'] }
        last = claims
        return changed
      }
    }),
  ),
  fault(
    'user-of-the-session-is-shown',
    'Shows the user who began a session.',
    ['AUTH-JWT-32'],
    changeClaims(
      rememberFirst(
        (_claims, session) => session,
        (claims, known) => (claims['sub'] === known['sub'] ? claims : withUser(claims, known)),
      ),
    ),
  ),
  fault(
    'first-email-in-a-session-is-shown',
    'Shows the email that a user had at the beginning of a session.',
    ['AUTH-JWT-32'],
    changeClaims(
      rememberFirst(
        (_claims, session) => session,
        (claims, known) => (claims['sub'] === known['sub'] ? withUser(claims, known) : claims),
      ),
    ),
  ),
  fault(
    'first-email-of-a-user-is-shown',
    'Shows the email that a user had at first.',
    ['AUTH-JWT-32'],
    changeClaims(rememberFirst(({ sub }) => sub)),
  ),
  fault(
    'email-of-the-token-before-is-shown',
    'Shows the email of the token before if a token has none.',
    ['AUTH-JWT-32'],
    changeClaims(() => {
      let last: JwtPart = {}
      return (claims) => {
        const { email = last['email'] } = claims
        last = { email }
        return claims['email'] === email ? claims : { ...claims, email }
      }
    }),
  ),
  fault(
    'user-of-the-latest-request-is-shown',
    'Shows the user of the request that arrived last.',
    ['AUTH-JWT-32'],
    changeClaims(showLatest),
  ),
  fault(
    'claims-read-as-latin-1',
    'Reads claims as ISO 8859-1.',
    ['AUTH-JWT-33'],
    misread((text) => Buffer.from(text, 'utf8').toString('latin1')),
  ),
  fault(
    'claims-lose-letters',
    'Removes letters outside ASCII from claims.',
    ['AUTH-JWT-33'],
    misread((text) => text.replace(/[^ -~]/g, '')),
  ),
  fault(
    'sessions-are-shared',
    'Lets each user use the sessions of all users.',
    ['AUTH-JWT-34'],
    withChoices(
      { server: { sessionsFor: 'everyone' } },
      changeClaims(() => {
        const openers = new Map<string, unknown>()
        return (claims, session) => {
          if (session === undefined) return claims
          const opener = openers.get(session) ?? claims['sub']
          openers.set(session, opener)
          return opener === claims['sub'] ? claims : { ...claims }
        }
      }),
    ),
  ),
  fault(
    'only-capitalized-scheme',
    'Accepts only the scheme Bearer, with one capital letter.',
    ['AUTH-JWT-28'],
    replaceRules({
      jwt: {
        bearerTokenIn: (header, choices) =>
          defaultJwtRules.bearerTokenIn(header, { ...choices, scheme: 'Bearer' }),
      },
    }),
  ),
]
