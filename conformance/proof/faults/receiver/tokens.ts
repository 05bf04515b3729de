import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { eventNames, events } from '../../../../mocks/deliveries/events.ts'
import { defaultRules } from '../../../../mocks/stateful/receiver.ts'
import type { ReceiverDeviation, ReceiverFault } from './fault.ts'
import { fault, toHyphens, toWords } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

const missing: RequirementId = 'EVT-RECEIVER-10'
const wrong: RequirementId = 'EVT-RECEIVER-11'

/** Accepts some tokens that are not the secret. */
const acceptWrong = (
  name: string,
  description: string,
  violates: ReceiverFault['violates'],
  accepts: (token: string | undefined, secret: string) => boolean,
): ReceiverFault =>
  fault(name, description, violates, (hit) => ({
    rules: {
      acceptsToken(token, secret) {
        if (defaultRules.acceptsToken(token, secret)) return true
        if (!accepts(token, secret)) return false
        hit()
        return true
      },
    },
  }))

/** Accepts tokens that resemble the secret, but not a missing one. */
const acceptSimilar = (
  name: string,
  description: string,
  accepts: (token: string, secret: string) => boolean,
): ReceiverFault =>
  acceptWrong(
    name,
    description,
    [wrong],
    (token, secret) => token !== undefined && accepts(token, secret),
  )

/** Replaces the response to deliveries that should be refused because of their token. */
const replaceRefusal =
  (act: (header: string | undefined, token: string | undefined, hit: Hit) => number | undefined) =>
  (hit: Hit): ReceiverDeviation => ({
    around: async (call, next) => {
      const { rules, options } = call.server
      const token = call.headers['x-hook-token']
      if (rules.acceptsToken(token, options.secret)) return next()
      const status = act(call.headers['x-hook-event'], token, hit)
      return status === undefined ? next() : { status, body: { received: true } }
    },
  })

export const tokens: readonly ReceiverFault[] = [
  acceptWrong(
    'tokens-are-not-compared',
    'Accepts deliveries with any token or none.',
    [missing, wrong],
    () => true,
  ),
  acceptWrong(
    'missing-tokens-are-accepted',
    'Accepts deliveries without a token.',
    [missing],
    (token) => token === undefined,
  ),
  acceptWrong(
    'missing-token-counts-as-empty',
    'Accepts an empty or missing token.',
    [missing, wrong],
    (token) => (token ?? '') === '',
  ),
  fault(
    'wrong-tokens-are-acknowledged-and-dropped',
    'Acknowledges and drops deliveries with a wrong token, although the target file says that they are refused.',
    [missing, wrong],
    replaceRefusal((_header, _given, hit) => {
      hit()
      return 202
    }),
  ),
  fault(
    'missing-token-has-no-content',
    'Returns 204 to deliveries without a token.',
    [missing],
    replaceRefusal((_header, token, hit) => {
      if (token !== undefined) return undefined
      hit()
      return 204
    }),
  ),

  acceptSimilar('any-token-will-do', 'Accepts any token.', () => true),
  acceptSimilar(
    'tokens-with-another-prefix-are-accepted',
    'Accepts tokens that do not start like the secret.',
    (token, secret) =>
      token !== '' && token.toLowerCase().slice(1, 5) !== secret.toLowerCase().slice(1, 5),
  ),
  acceptSimilar('empty-token-will-do', 'Accepts an empty token.', (token) => token === ''),
  acceptSimilar(
    'prefix-of-the-secret-is-accepted',
    'Accepts every prefix of the secret.',
    (token, secret) => token !== '' && secret.startsWith(token),
  ),
  acceptSimilar(
    'tokens-are-cut-to-the-secret',
    'Accepts the secret followed by other characters.',
    (token, secret) => token.startsWith(secret),
  ),
  acceptSimilar(
    'token-that-contains-the-secret-is-accepted',
    'Accepts every token that contains the secret.',
    (token, secret) => token.includes(secret),
  ),
  acceptSimilar(
    'tokens-are-compared-by-length',
    'Accepts every token of the same length as the secret.',
    (token, secret) => token.length === secret.length,
  ),
  acceptSimilar(
    'last-letter-is-not-compared',
    'Ignores the last character when it compares tokens.',
    (token, secret) => token.length === secret.length && token.slice(0, -1) === secret.slice(0, -1),
  ),
  acceptSimilar(
    'first-letter-is-not-compared',
    'Ignores the first character when it compares tokens.',
    (token, secret) => token.slice(1) === secret.slice(1),
  ),
  acceptSimilar(
    'first-eight-letters-are-compared',
    'Compares only the first eight characters of tokens.',
    (token, secret) => token.slice(0, 8) === secret.slice(0, 8),
  ),
  acceptSimilar(
    'tokens-are-compared-in-any-case',
    'Ignores case when it compares tokens.',
    (token, secret) => token.toLowerCase() === secret.toLowerCase(),
  ),

  ...eventNames.map((event) =>
    fault(
      `deliveries-of-${toHyphens(event)}-need-no-token`,
      `Accepts any token or none for ${toWords(event)} deliveries.`,
      [missing, wrong],
      replaceRefusal((header, _given, hit) => {
        if (header !== events[event].header) return undefined
        hit()
        return 200
      }),
    ),
  ),
]
