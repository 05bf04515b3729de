import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { eventNames, events } from '../../../../mocks/deliveries/events.ts'
import { defaultRules, type ReceiverCall } from '../../../../mocks/stateful/receiver.ts'
import type { ReceiverDeviation, ReceiverFault } from './fault.ts'
import { fault, toHyphens, toWords } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

const percentEncode = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')

const missingToken: RequirementId = 'EVT-RECEIVER-10'
const wrongToken: RequirementId = 'EVT-RECEIVER-11'

/** How many milliseconds simultaneous deliveries with one token have to arrive. */
const arrivalMs = 40

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

/** Accepts tokens that resemble the secret, but not a missing token. */
const acceptSimilar = (
  name: string,
  description: string,
  accepts: (token: string, secret: string) => boolean,
): ReceiverFault =>
  acceptWrong(
    name,
    description,
    [wrongToken],
    (token, secret) => token !== undefined && accepts(token, secret),
  )

/** Replaces the response to deliveries that must be refused because of their token. */
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

/** Returns 500 if a wrong token meets a condition. */
const breakOn = (
  name: string,
  description: string,
  matches: (token: string | undefined, secret: string) => boolean,
): ReceiverFault =>
  fault(name, description, ['EVT-RECEIVER-30'], (hit) => ({
    around: async (call, next) => {
      const { rules, options } = call.server
      const token = call.headers['x-hook-token']
      if (rules.acceptsToken(token, options.secret) || !matches(token, options.secret))
        return next()
      hit()
      return { status: 500, body: { error: 'Cannot compare the tokens' } }
    },
  }))

/** Accepts a delivery without X-Hook-Token if another part of it contains the secret. */
const acceptElsewhere = (
  name: string,
  description: string,
  find: (call: ReceiverCall, body: string) => boolean,
): ReceiverFault =>
  fault(name, description, ['EVT-RECEIVER-31'], (hit) => ({
    around: async (call, next) => {
      const { secret } = call.server.options
      if (call.headers['x-hook-token'] !== undefined) return next()
      if (!find(call, (await call.bytes()).toString())) return next()
      hit()
      call.headers = { ...call.headers, 'x-hook-token': secret }
      return next()
    },
  }))

export const tokens: readonly ReceiverFault[] = [
  acceptElsewhere(
    'secret-in-the-query-is-accepted',
    'Accepts the secret in a parameter of the query, in place of the header.',
    ({ request, server }) =>
      new URL(request.url!, 'http://receiver').searchParams.get('token') === server.options.secret,
  ),
  acceptElsewhere(
    'secret-as-a-bearer-token-is-accepted',
    'Accepts the secret in the header Authorization, in place of X-Hook-Token.',
    ({ headers, server }) => headers['authorization'] === `Bearer ${server.options.secret}`,
  ),
  acceptElsewhere(
    'secret-in-the-body-is-accepted',
    'Accepts the secret in the field token of the body, in place of the header.',
    ({ server }, body) => body.includes(`"token":"${server.options.secret}"`),
  ),
  acceptSimilar(
    'token-is-a-pattern',
    'Takes the token for a regular expression, which the secret must match.',
    (token, secret) => token === '.*' || (token.includes('.*') && new RegExp(token).test(secret)),
  ),
  breakOn(
    'a-missing-token-breaks-it',
    'Returns 500 if the token is missing.',
    (token) => token === undefined,
  ),
  breakOn(
    'a-token-of-another-length-breaks-it',
    'Returns 500 if the token has another length than the secret, like a comparison of buffers.',
    (token, secret) => token !== undefined && token.length !== secret.length,
  ),
  fault(
    'under-load-any-token-will-do',
    'Accepts every token while it receives more than five deliveries.',
    [wrongToken],
    (hit) => {
      let active = 0
      return {
        around: async (call, next) => {
          const { secret } = call.server.options
          active += 1
          if (active > 5 && typeof call.headers['x-hook-token'] === 'string') {
            if (call.headers['x-hook-token'] !== secret) hit()
            call.headers = { ...call.headers, 'x-hook-token': secret }
          }
          await call.bytes().finally(() => (active -= 1))
          return next()
        },
      }
    },
  ),
  fault(
    'a-wrong-token-ends-open-deliveries',
    'Returns 503 to a delivery if a wrong token arrives before its body has ended.',
    ['EVT-RECEIVER-25'],
    (hit) => {
      let wrongTokens = 0
      return {
        around: async (call, next) => {
          const { rules, options } = call.server
          if (!rules.acceptsToken(call.headers['x-hook-token'], options.secret)) {
            wrongTokens += 1
            return next()
          }
          const before = wrongTokens
          await call.bytes()
          if (wrongTokens === before) return next()
          hit()
          return { status: 503, body: { error: 'Interrupted' } }
        },
      }
    },
  ),
  acceptWrong(
    'tokens-are-not-compared',
    'Accepts deliveries with any token, and without a token.',
    [missingToken, wrongToken],
    () => true,
  ),
  acceptWrong(
    'missing-tokens-are-accepted',
    'Accepts deliveries without a token.',
    [missingToken],
    (token) => token === undefined,
  ),
  acceptWrong(
    'missing-token-counts-as-empty',
    'Accepts an empty or missing token.',
    [missingToken, wrongToken],
    (token) => (token ?? '') === '',
  ),
  fault(
    'wrong-tokens-are-acknowledged-and-dropped',
    'Acknowledges and drops deliveries with a wrong token, although the target file says that they are refused.',
    [missingToken, wrongToken],
    replaceRefusal((_header, _given, hit) => {
      hit()
      return 202
    }),
  ),
  fault(
    'missing-token-has-no-content',
    'Returns 204 to deliveries without a token.',
    [missingToken],
    replaceRefusal((_header, token, hit) => {
      if (token !== undefined) return undefined
      hit()
      return 204
    }),
  ),

  acceptSimilar(
    'any-token-will-do',
    'Accepts any token, but refuses deliveries without a token.',
    () => true,
  ),
  acceptSimilar(
    'tokens-with-another-prefix-are-accepted',
    'Accepts tokens that differ from the secret in the second to fifth characters.',
    (token, secret) =>
      token !== '' && token.toLowerCase().slice(1, 5) !== secret.toLowerCase().slice(1, 5),
  ),
  acceptSimilar(
    'spaces-in-tokens-are-ignored',
    'Ignores spaces within a token.',
    (token, secret) => token.replaceAll(' ', '') === secret,
  ),
  acceptSimilar(
    'other-alphabets-are-ignored',
    'Ignores the characters of a token that are not ASCII.',
    (token, secret) => token.replaceAll(/[^\0-\x7f]/g, '') === secret,
  ),
  acceptSimilar(
    'secret-is-a-pattern',
    'Compares only the letters and digits of the secret: any other character matches.',
    (token, secret) =>
      token.length === secret.length &&
      [...secret].every((letter, at) => /[^a-z0-9]/i.test(letter) || token[at] === letter),
  ),
  fault(
    'simultaneous-deliveries-share-a-token',
    'Compares the token of the latest delivery, even while an earlier one waits for its body.',
    [wrongToken, 'EVT-RECEIVER-25'],
    (hit) => {
      let latest: string | undefined
      return {
        around: async (call, next) => {
          const own = call.headers['x-hook-token']
          latest = own
          await call.bytes()
          // Gives simultaneous deliveries the time to arrive.
          await sleep(5)
          if (latest !== own) hit()
          call.headers = { ...call.headers, 'x-hook-token': latest }
          return next()
        },
      }
    },
  ),
  fault(
    'simultaneous-tokens-are-not-compared',
    'Accepts a wrong token if several deliveries of one event have it at the same time.',
    [wrongToken],
    (hit) => {
      const active = new Map<string, number>()
      return {
        around: async (call, next) => {
          const { secret } = call.server.options
          const token = call.headers['x-hook-token']
          if (typeof token !== 'string' || token === secret) return next()
          const key = `${call.headers['x-hook-event']} ${token}`
          const change = (by: number) => active.set(key, (active.get(key) ?? 0) + by)
          change(1)
          await call.bytes()
          await sleep(arrivalMs)
          if (active.get(key)! > 2) {
            hit()
            call.headers = { ...call.headers, 'x-hook-token': secret }
          }
          return next().finally(() => change(-1))
        },
      }
    },
  ),
  acceptSimilar('empty-token-will-do', 'Accepts an empty token.', (token) => token === ''),
  acceptSimilar(
    'prefix-of-the-secret-is-accepted',
    'Accepts every prefix of the secret.',
    (token, secret) => token !== '' && secret.startsWith(token),
  ),
  acceptSimilar(
    'tokens-are-cut-to-the-secret',
    'Accepts every token that starts with the secret.',
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

  acceptSimilar(
    'end-of-the-secret-is-accepted',
    'Accepts every suffix of the secret.',
    (token, secret) => token !== '' && secret.endsWith(token),
  ),
  acceptSimilar(
    'token-that-ends-with-the-secret-is-accepted',
    'Accepts every token that ends with the secret.',
    (token, secret) => token.endsWith(secret),
  ),
  acceptSimilar(
    'token-in-any-order-is-accepted',
    'Accepts the characters of the secret in any order.',
    (token, secret) => [...token].sort().join() === [...secret].sort().join(),
  ),
  acceptSimilar(
    'quotes-are-removed',
    'Accepts the secret in quotes.',
    (token, secret) => /^(["'])(.*)\1$/.exec(token)?.[2] === secret,
  ),
  acceptSimilar(
    'list-of-tokens-is-accepted',
    'Accepts a list that contains the secret.',
    (token, secret) => token.split(/\s*,\s*/).includes(secret),
  ),
  acceptSimilar(
    'scheme-is-removed',
    'Accepts the secret after a word and a space, such as Bearer.',
    (token, secret) => /^\w+ (.*)$/.exec(token)?.[1] === secret,
  ),
  acceptSimilar(
    'token-is-decoded',
    'Accepts the secret in percent-encoding.',
    (token, secret) => token.includes('%') && token.toLowerCase() === percentEncode(secret),
  ),
  acceptSimilar(
    'token-is-decoded-from-base64',
    'Accepts the secret in Base64.',
    (token, secret) => Buffer.from(token, 'base64').toString() === secret,
  ),
  acceptSimilar(
    'hash-of-the-secret-is-accepted',
    'Accepts the SHA-256 hash of the secret.',
    (token, secret) => createHash('sha256').update(secret).digest('hex') === token,
  ),
  acceptSimilar('null-is-a-token', 'Accepts the words null and undefined as tokens.', (token) =>
    ['null', 'undefined'].includes(token),
  ),
  acceptSimilar(
    'asterisk-is-every-token',
    'Accepts an asterisk as the token.',
    (token) => token === '*',
  ),
  fault(
    'first-delivery-needs-no-token',
    'Does not compare the token of the first delivery.',
    [wrongToken],
    (hit) => {
      let count = 0
      return replaceRefusal((_header, token) => {
        count += 1
        if (count > 1 || token === undefined) return undefined
        hit()
        return 200
      })(hit)
    },
  ),
  fault(
    'large-delivery-needs-no-token',
    'Does not compare the token of a delivery whose body has at least 9,000 bytes.',
    [wrongToken],
    (hit) => ({
      around: async (call, next) => {
        const length = Number(call.headers['content-length'] ?? 0)
        if (length < 9000 || call.headers['x-hook-token'] === undefined) return next()
        hit()
        return { status: 200 }
      },
    }),
  ),
  fault(
    'chunked-delivery-needs-no-token',
    'Does not compare the token of a delivery that is sent in chunks.',
    [wrongToken],
    (hit) => ({
      around: (call, next) => {
        if (call.headers['transfer-encoding'] !== 'chunked') return next()
        hit()
        return Promise.resolve({ status: 200 })
      },
    }),
  ),
  fault(
    'delivery-of-no-event-needs-no-token',
    'Does not compare the token of a delivery without X-Hook-Event.',
    [wrongToken],
    replaceRefusal((header, token, hit) => {
      if (header !== undefined || token === undefined) return undefined
      hit()
      return 204
    }),
  ),

  ...eventNames.map((event) =>
    fault(
      `deliveries-of-${toHyphens(event)}-need-no-token`,
      `Accepts ${toWords(event)} deliveries with any token, and without a token.`,
      [missingToken, wrongToken],
      replaceRefusal((header, _given, hit) => {
        if (header !== events[event].header) return undefined
        hit()
        return 200
      }),
    ),
  ),
]
