import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { eventNames, events } from '../../../../mocks/deliveries/events.ts'
import { defaultRules } from '../../../../mocks/stateful/receiver.ts'
import type { ReceiverDeviation, ReceiverFault } from './fault.ts'
import { fault, hyphens, words } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

const missing: RequirementId = 'EVT-RECEIVER-10'
const wrong: RequirementId = 'EVT-RECEIVER-11'

/** Trusts some tokens that are not the secret. */
const trusting = (
  name: string,
  description: string,
  violates: ReceiverFault['violates'],
  lets: (given: string | undefined, secret: string) => boolean,
): ReceiverFault =>
  fault(name, description, violates, (hit) => ({
    rules: {
      trusts(given, secret) {
        if (defaultRules.trusts(given, secret)) return true
        if (!lets(given, secret)) return false
        hit()
        return true
      },
    },
  }))

/** Trusts a token where there is one, and it is like the secret in some way. */
const alike = (
  name: string,
  description: string,
  lets: (given: string, secret: string) => boolean,
): ReceiverFault =>
  trusting(
    name,
    description,
    [wrong],
    (given, secret) => given !== undefined && lets(given, secret),
  )

/** Does something else with deliveries that the correct receiver refuses for their token. */
const refused =
  (act: (header: string | undefined, given: string | undefined, hit: Hit) => number | undefined) =>
  (hit: Hit): ReceiverDeviation => ({
    around: async (call, next) => {
      const { rules, options } = call.server
      const given = call.headers['x-hook-token']
      if (rules.trusts(given, options.secret)) return next()
      const status = act(call.headers['x-hook-event'], given, hit)
      return status === undefined ? next() : { status, body: { received: true } }
    },
  })

export const tokens: readonly ReceiverFault[] = [
  trusting(
    'tokens-are-not-compared',
    'Takes every delivery, whatever its token is.',
    [missing, wrong],
    () => true,
  ),
  trusting(
    'tokens-are-compared-where-they-are-there',
    'Takes deliveries without a token.',
    [missing],
    (given) => given === undefined,
  ),
  trusting(
    'missing-token-counts-as-empty',
    'Takes an empty token, and a missing one for it.',
    [missing, wrong],
    (given) => (given ?? '') === '',
  ),
  fault(
    'wrong-tokens-are-acknowledged-and-dropped',
    'Acknowledges deliveries with a wrong token and drops them, though it is said to refuse them.',
    [missing, wrong],
    refused((_header, _given, hit) => {
      hit()
      return 202
    }),
  ),
  fault(
    'missing-token-has-no-content',
    'Answers 204 to deliveries without a token.',
    [missing],
    refused((_header, given, hit) => {
      if (given !== undefined) return undefined
      hit()
      return 204
    }),
  ),

  alike('any-token-will-do', 'Takes every delivery that has a token.', () => true),
  alike(
    'foreign-tokens-will-do',
    'Takes tokens that do not begin as the secret does.',
    (given, secret) =>
      given !== '' && given.toLowerCase().slice(1, 5) !== secret.toLowerCase().slice(1, 5),
  ),
  alike('empty-token-will-do', 'Takes an empty token.', (given) => given === ''),
  alike(
    'beginning-of-the-secret-will-do',
    'Takes any beginning of the secret.',
    (given, secret) => given !== '' && secret.startsWith(given),
  ),
  alike('tokens-are-cut-to-the-secret', 'Takes whatever begins with the secret.', (given, secret) =>
    given.startsWith(secret),
  ),
  alike(
    'secret-is-sought-in-the-token',
    'Takes every token in which the secret stands.',
    (given, secret) => given.includes(secret),
  ),
  alike(
    'tokens-are-compared-by-length',
    'Takes every token that is as long as the secret.',
    (given, secret) => given.length === secret.length,
  ),
  alike(
    'last-letter-is-not-compared',
    'Compares tokens up to the last letter but one.',
    (given, secret) => given.length === secret.length && given.slice(0, -1) === secret.slice(0, -1),
  ),
  alike(
    'first-letter-is-not-compared',
    'Compares tokens from the second letter on.',
    (given, secret) => given.slice(1) === secret.slice(1),
  ),
  alike(
    'first-eight-letters-are-compared',
    'Compares the first eight letters of tokens.',
    (given, secret) => given.slice(0, 8) === secret.slice(0, 8),
  ),
  alike(
    'tokens-are-compared-in-any-case',
    'Compares tokens without regard to capitals.',
    (given, secret) => given.toLowerCase() === secret.toLowerCase(),
  ),

  ...eventNames.map((event) =>
    fault(
      `deliveries-of-${hyphens(event)}-need-no-token`,
      `Compares no token for ${words(event)} deliveries.`,
      [missing, wrong],
      refused((header, _given, hit) => {
        if (header !== events[event].header) return undefined
        hit()
        return 200
      }),
    ),
  ),
]
