import { Blocked, type Expectation } from '../../../../engine/index.ts'
import { HttpExchange, type HttpRequest } from '../../../../wire/index.ts'
import { pageOf } from '../../../../wire/oauth/browser.ts'
import { askOf } from '../../support/ask.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { toldApart } from '../../support/oauth/apart.ts'
import { own } from '../../support/oauth/granting.ts'

const redirects = [301, 302, 303, 307, 308]

/** A page, or a way on: what no place answers that knows nothing of users. */
const leadsOn: Expectation<HttpExchange> = {
  name: 'leads on',
  expected: 'a page, or a redirect',
  test: (exchange) => {
    const { status = 0 } = exchange
    return redirects.includes(status)
      ? exchange.header('location') !== undefined &&
          !/[?&#]error=/.test(exchange.header('location') ?? '')
      : status >= 200 && status < 300 && pageOf(exchange) !== undefined
  },
}
const works = (status: number): Expectation<HttpExchange> => ({
  name: 'works there',
  expected: `status ${status}`,
  test: (exchange) => exchange.status === status,
})

/** The same request at the address that the document has. */
const at = (root: string, path: string, request: HttpRequest): HttpRequest => ({
  ...request,
  url: `${root}${path}`,
})

/** The three endpoints are where the document has them, also where metadata names others. */
export const endpoints = [
  check('AUTH-ENDPOINT-01', {
    title: 'asks users at GET /authorize',
    patterns,
    async play({ endpoints: found, client, auth, made, send, expect }) {
      const { root } = await found()
      expect(await send(askOf(`${root}/authorize`, await client(), auth, made).request), leadsOn)
    },
  }),

  check('AUTH-ENDPOINT-02', {
    title: 'gives tokens at POST /token',
    patterns,
    async play(world) {
      const { endpoints: found, grant, exchange, send, expect, requireMet } = world
      const { root, token } = await found()
      const answered = await send(
        at(root, '/token', await exchange(await grant({}, await own(world, 'endpoint 02')))),
      )
      // That nothing works where it is looked for by all others is the affair of the row that says what comes.
      if (
        answered.status !== 200 &&
        token === `${root}/token` &&
        ![404, 405, 501].includes(answered.status ?? 0)
      )
        await requireMet('AUTH-TOKEN-01', answered.summary)
      expect(answered, works(200))
    },
  }),

  check('AUTH-ENDPOINT-03', {
    title: 'registers clients at POST /register',
    patterns,
    async play(world) {
      const { endpoints: found, registering, send, expect } = world
      const { root, register } = await found()
      const answered = await send(at(root, '/register', await registering()))
      if (
        answered.status !== 201 &&
        register === `${root}/register` &&
        ![404, 405, 501].includes(answered.status ?? 0)
      )
        throw new Blocked('AUTH-REGISTER-01', answered.summary)
      expect(answered, works(201))
      await toldApart(world, answered)
    },
  }),
]
