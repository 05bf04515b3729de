import type { Expectation } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { isServed } from '../places.ts'
import type { AuthWorld } from '../world.ts'

/** Whoever is not let in has not failed for another reason: the same request with a good token is served. */
export const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'no status of success',
  test: ({ status, failure }) =>
    failure === undefined && status !== undefined && (status < 200 || status >= 300),
}

/** Of answers that have to meet the same, the first that does not, or else the first. */
export function worst(
  answers: readonly HttpExchange[],
  expectation: Expectation<HttpExchange>,
): HttpExchange | undefined {
  return answers.find((one) => !expectation.test(one)) ?? answers[0]
}

/** Expects something of answers that others asked for too, and goes on where one is not met: the report shows all that are broken. */
export function expectEach(
  { expect, note }: AuthWorld,
  each: readonly (readonly [
    answers: readonly HttpExchange[],
    expectation: Expectation<HttpExchange>,
  ])[],
): void {
  const broken: unknown[] = []
  for (const [answers, expectation] of each) {
    const one = worst(answers, expectation)
    if (one === undefined) continue
    try {
      expect(note(one), expectation)
    } catch (error) {
      broken.push(error)
    }
  }
  if (broken.length > 0) throw broken[0]
}

/** What a body says to people: at most so many characters of it are short. */
const short = 200

const textOf = ({ body }: HttpExchange): string => body.toString('utf8').trim()
const words = {
  unauthorized:
    /auth|autori[sz]|credential|token|bearer|log ?in|log ?on|sign ?in|denied|forbidden|access|permi/i,
  invalid:
    /invalid|not valid|token|jwt|bearer|forbidden|denied|auth|autori[sz]|verif|signature|expired|credential|malformed|permi/i,
}

/** A short text that says a thing in whatever words. */
export const says = (what: keyof typeof words): Expectation<HttpExchange> => ({
  name: `says in a short text that ${what === 'unauthorized' ? 'one is not authorized' : 'the token is invalid'}`,
  expected: `1 to ${short} characters that say so`,
  test: (exchange) => {
    const text = textOf(exchange)
    return text !== '' && [...text].length <= short && words[what].test(text)
  },
})

/** A text, and the headers that came with it. */
const allOf = (exchange: HttpExchange): string =>
  [
    ...exchange.headers.map(([name, value]) => `${name}: ${value}`),
    exchange.body.toString('utf8'),
  ].join('\n')

/** What a program says of where something went wrong in it. */
const trace =
  /^\s*at .+[:(]\d+|Traceback \(most recent call last\)|^\s*File ".+", line \d+|goroutine \d+ \[|\.(js|ts|mjs|cjs|py|rb|go|rs|java|kt|php|cs):\d+/m

export const tellsNo = {
  secret: (secret: string) => ({
    name: 'does not tell the secret',
    expected: 'no secret',
    test: (exchange: HttpExchange) => !allOf(exchange).includes(secret),
  }),
  claims: (claims: readonly string[]) => ({
    name: 'does not tell claims',
    expected: 'nothing that stands in the token',
    test: (exchange: HttpExchange) => !claims.some((claim) => allOf(exchange).includes(claim)),
  }),
  trace: {
    name: 'does not tell where it arose',
    expected: 'no stack of calls',
    test: (exchange: HttpExchange) => !trace.test(allOf(exchange)),
  },
}

/** What is recorded of a token whose fate is open. */
export const fateOf = ({ status, summary }: HttpExchange): string =>
  isServed({ status } as HttpExchange)
    ? 'served'
    : status === undefined
      ? summary
      : `refused with ${status}`
