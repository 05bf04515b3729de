import { servedAt, at } from '../../support/oauth/resource-use.ts'
import { randomBytes } from 'node:crypto'
import { Blocked, NotApplicable, labelled, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import { check, oauth } from '../../support/define.ts'
import { isEntrance } from '../../support/guarded.ts'
import { isServed, type ProtectedPlace } from '../../support/places.ts'
import { served } from '../../support/expectations.ts'
import { challengesIn, namesBearer } from '../../support/oauth/challenges.ts'
import { changed, confidential, own } from '../../support/oauth/granting.ts'

const isRefusal = ({ status = 0 }: HttpExchange): boolean => status >= 400 && status < 500
const refused: Expectation<HttpExchange> = {
  name: 'is refused',
  expected: 'a status of the 400s',
  test: isRefusal,
}
const unauthorized: Expectation<HttpExchange> = {
  name: 'has status 401',
  expected: 'status 401',
  test: ({ status }) => status === 401,
}
const asksForBearer: Expectation<HttpExchange> = {
  name: 'asks for a Bearer',
  expected: 'WWW-Authenticate with the scheme Bearer',
  test: namesBearer,
}
const invalidToken: Expectation<HttpExchange> = {
  name: 'names invalid_token',
  expected: 'WWW-Authenticate with error="invalid_token"',
  test: (exchange) =>
    challengesIn(exchange).some((one) => /\berror *= *"?invalid_token\b/i.test(one)),
}

const withToken = (token: string) => (place: ProtectedPlace) => place.request(`Bearer ${token}`)

/** Adds a parameter to the URL of a request. */
function inQuery(request: HttpRequest, token: string): HttpRequest {
  const url = new URL(request.url)
  url.searchParams.set('access_token', token)
  return { ...request, url: url.href }
}

/** Checks of the resource behind the tokens. */
export const resource = [
  check('AUTH-RESOURCE-01', {
    title: 'serves whoever has a valid token, over every transport',
    patterns: oauth,
    async play({ guarded, expect, requireMet }) {
      for (const { place, answer: came } of (await guarded()).filter(isEntrance)) {
        // That a transport does not work at all is its own row's affair: only who is sent away was asked who he is.
        if (!isServed(came) && came.status !== 401 && came.status !== 403) {
          const row = place.transport === 'sse' ? 'TOOL-SSE-01' : 'TOOL-HTTP-01'
          await requireMet(row, came.summary)
          if (came.status === undefined) throw new Blocked(row, came.summary)
        }
        expect(came, served)
      }
    },
  }),
  check('AUTH-RESOURCE-02', {
    title: 'asks whoever has no token for one',
    patterns: oauth,
    async play(world) {
      await at(
        world,
        (await world.guarded()).filter(({ place }) => !place.inSession),
        (place) => place.request(undefined),
        unauthorized,
        asksForBearer,
      )
    },
  }),
  check('AUTH-RESOURCE-03', {
    title: 'refuses a token that was never given',
    patterns: oauth,
    async play(world) {
      const { guarded, tokens } = world
      const { access } = await tokens({}, await own(world, 'resource 03'))
      const places = (await guarded()).filter(({ place }) => !place.inSession)
      const wrong = {
        'an invented token': randomBytes(32).toString('base64url'),
        'one character changed': changed(access),
        'a token cut short': access.slice(0, -4),
      }
      await Promise.all(
        Object.entries(wrong).map(([label, token]) =>
          at(world, places, withToken(token), labelled(label, refused)),
        ),
      )
    },
  }),
  check('AUTH-RESOURCE-04', {
    title: 'says that a token is invalid, with status 401',
    patterns: oauth,
    async play(world) {
      const places = (await world.guarded()).filter(isEntrance)
      await at(
        world,
        places,
        withToken(randomBytes(32).toString('base64url')),
        unauthorized,
        invalidToken,
      )
    },
  }),
  check('AUTH-RESOURCE-05', {
    title: 'refuses a token in the query of the URL',
    patterns: oauth,
    async play(world) {
      const { guarded, tokens } = world
      const { access } = await tokens({}, await own(world, 'resource 05'))
      await at(
        world,
        await guarded(),
        (place) => inQuery(place.request(undefined), access),
        refused,
      )
    },
  }),
  check('AUTH-RESOURCE-06', {
    title: 'takes neither a code nor a refresh token for an access token',
    patterns: oauth,
    async play(world) {
      const { grant, guarded, tokens } = world
      const entrances = (await guarded()).filter(isEntrance)
      const { refresh } = await tokens({}, await own(world, 'resource 06'))
      const { code } = await grant({}, await own(world, 'resource 06 too'))
      const wrong = {
        'a code': code,
        ...(refresh === undefined ? {} : { 'a refresh token': refresh }),
      }
      await Promise.all(
        Object.entries(wrong).map(([label, value]) =>
          at(world, entrances, withToken(value), labelled(label, refused)),
        ),
      )
    },
  }),
  check('AUTH-RESOURCE-06', {
    title: 'takes no secret of a client for an access token',
    patterns: oauth,
    async play(world) {
      const { secret = '' } = await confidential(world, 'resource 06')
      await at(world, (await world.guarded()).filter(isEntrance), withToken(secret), refused)
    },
  }),
  check('AUTH-RESOURCE-07', {
    title: 'judges every request of a session by its own token',
    patterns: oauth,
    async play(world) {
      const places = (await world.guarded()).filter(({ place }) => place.inSession)
      if (places.length === 0) throw new NotApplicable('there are no sessions')
      const wrong = {
        'without a token': undefined,
        'an invented token': `Bearer ${randomBytes(32).toString('base64url')}`,
      }
      await Promise.all(
        Object.entries(wrong).map(([label, authorization]) =>
          at(world, places, (place) => place.request(authorization), labelled(label, refused)),
        ),
      )
    },
  }),
  check('AUTH-RESOURCE-08', {
    title: 'takes the scheme in any case of letters',
    patterns: oauth,
    async play(world) {
      const token = (await world.bearer()) ?? ''
      await Promise.all(
        ['bearer', 'BEARER'].map((scheme) => servedAt(world, scheme, `${scheme} ${token}`)),
      )
    },
  }),
]
