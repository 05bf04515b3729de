import type { Expectation } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { isServed } from '../protected-endpoints.ts'
import type { AuthWorld } from '../world.ts'

/**
 * Expects any status except 2xx. The same request with a valid token succeeds, so the token must be
 * the reason.
 */
export const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'a status other than 2xx',
  test: ({ status, failure }) =>
    failure === undefined && status !== undefined && (status < 200 || status >= 300),
}

/** The first exchange that does not meet the expectation, or else the first exchange. */
export function exchangeToJudge(
  exchanges: readonly HttpExchange[],
  expectation: Expectation<HttpExchange>,
): HttpExchange | undefined {
  return exchanges.find((exchange) => !expectation.test(exchange)) ?? exchanges[0]
}

/**
 * Judges every expectation, so that the report contains every failure, and then throws the first
 * error. An expectation without exchanges is skipped.
 */
export function expectEach(
  { expect, record }: AuthWorld,
  each: readonly (readonly [
    exchanges: readonly HttpExchange[],
    expectation: Expectation<HttpExchange>,
  ])[],
): void {
  const errors: unknown[] = []
  for (const [exchanges, expectation] of each) {
    const exchange = exchangeToJudge(exchanges, expectation)
    if (exchange === undefined) continue
    try {
      expect(record(exchange), expectation)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** The maximum length of a short body, in characters. */
const maxLength = 200

const textOf = ({ body }: HttpExchange): string => body.toString('utf8').trim()
const words = {
  unauthorized:
    /auth|autori[sz]|credential|token|bearer|log ?in|log ?on|sign ?in|denied|forbidden|access|permi/i,
  invalid:
    /invalid|not valid|token|jwt|bearer|forbidden|denied|auth|autori[sz]|verif|signature|expired|credential|malformed|permi/i,
}

const meanings: Readonly<Record<keyof typeof words, string>> = {
  unauthorized: 'the request is not authorized',
  invalid: 'the token is invalid',
}

/** Expects a short body with one of the usual words. */
export const says = (what: keyof typeof words): Expectation<HttpExchange> => ({
  name: `has a short body which states that ${meanings[what]}`,
  expected: `1 to ${maxLength} characters that state this`,
  test: (exchange) => {
    const text = textOf(exchange)
    return text !== '' && [...text].length <= maxLength && words[what].test(text)
  },
})

/** The headers and the body as one string. */
const fullTextOf = (exchange: HttpExchange): string =>
  [
    ...exchange.headers.map(([name, value]) => `${name}: ${value}`),
    exchange.body.toString('utf8'),
  ].join('\n')

/** Lines of stack traces of common languages. */
const trace =
  /^\s*at .+[:(]\d+|Traceback \(most recent call last\)|^\s*File ".+", line \d+|goroutine \d+ \[|\.(js|ts|mjs|cjs|py|rb|go|rs|java|kt|php|cs):\d+/m

export const containsNo = {
  secret: (secret: string) => ({
    name: 'does not contain the secret',
    expected: 'a response without the secret',
    test: (exchange: HttpExchange) => !fullTextOf(exchange).includes(secret),
  }),
  claims: (claims: readonly string[]) => ({
    name: 'does not contain claims',
    expected: 'a response without values of the token',
    test: (exchange: HttpExchange) => !claims.some((claim) => fullTextOf(exchange).includes(claim)),
  }),
  trace: {
    name: 'does not contain a stack trace',
    expected: 'a response without a stack trace',
    test: (exchange: HttpExchange) => !trace.test(fullTextOf(exchange)),
  },
}

/** Describes the response to a token that a server may accept or refuse. */
export const describeHandling = ({ status, summary }: HttpExchange): string =>
  isServed({ status } as HttpExchange)
    ? 'served'
    : status === undefined
      ? summary
      : `refused with ${status}`
