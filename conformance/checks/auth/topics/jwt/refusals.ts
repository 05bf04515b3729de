import { labelled } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check } from '../../support/define.ts'
import { isServed, type ProtectedPlace } from '../../support/places.ts'
import { hasStatus } from '../../support/expectations.ts'
import { atMain, mintOf, roundOf, type Round, type TokenAttempt } from '../../support/jwt/round.ts'
import { expectEach, says, tellsNo } from '../../support/jwt/refusal-text.ts'

const root = 'AUTH-JWT-01'
const patterns = ['jwt'] as const

// Who is served though nobody should is told by other rows.
const refusals = (
  tried: readonly TokenAttempt[],
  test: (one: TokenAttempt) => boolean,
): HttpExchange[] =>
  tried.filter((one) => test(one) && !isServed(one.answer)).map((one) => one.answer)
const withStatus = ({ tried }: Round, status: number): HttpExchange[] =>
  tried.map((one) => one.answer).filter((one) => one.status === status)

/** Places at which somebody got in who was refused elsewhere: what they refuse, they may refuse for other reasons, such as a stream that is open already. */
function leaking({ main, tried }: Round): ReadonlySet<ProtectedPlace> {
  const refused = new Set(
    tried
      .filter(({ place, answer }) => place === main && !isServed(answer))
      .map(({ forged }) => forged?.name),
  )
  return new Set(
    tried
      .filter(
        ({ place, forged, answer }) =>
          place !== main && refused.has(forged?.name) && isServed(answer),
      )
      .map(({ place }) => place),
  )
}

/** How often a request is made again that got no answer at all: a server that refuses early may end the connection before its answer is read. */
const tries = 4

/** Rules 2 and 3: what is answered to whoever is not let in. */
export const refusing = [
  check('AUTH-JWT-02', {
    title: 'answers 401 where there is no header',
    root,
    patterns,
    async play(world) {
      const round = await roundOf(world)
      const absent = (one: TokenAttempt) => one.forged === undefined
      const here = atMain(round)
        .filter(absent)
        .map((one) => one.answer)
      expectEach(world, [
        [here, hasStatus(401)],
        [refusals(round.tried, absent), labelled('at every place', hasStatus(401))],
      ])
    },
  }),

  check('AUTH-JWT-02', {
    title: 'takes no token from the address',
    root,
    patterns,
    async play(world) {
      const { main } = await roundOf(world)
      const { url, ...request } = main.request(undefined)
      const there = new URL(url)
      there.searchParams.set('access_token', (await mintOf(world)).good())
      world.expect(await world.send({ ...request, url: there.href }), hasStatus(401))
    },
  }),

  check('AUTH-JWT-03', {
    title: 'says with 401 that one is not authorized',
    root,
    patterns,
    async play(world) {
      const round = await roundOf(world)
      const found = withStatus(
        { ...round, tried: round.tried.filter(({ forged }) => forged === undefined) },
        401,
      )
      if (found.length === 0) await world.requireMet('AUTH-JWT-02')
      expectEach(world, [[found, says('unauthorized')]])
    },
  }),

  check('AUTH-JWT-04', {
    title: 'answers 403 to tokens that fail verification',
    root,
    patterns,
    async play(world) {
      const round = await roundOf(world)
      const leaks = leaking(round)
      const here = atMain(round).flatMap(({ forged, answer }) =>
        forged === undefined || isServed(answer) ? [] : forged.name,
      )
      // Who gets every forged token served has no refusal to show.
      if (here.length === 0) await world.requireMet('AUTH-JWT-06')
      expectEach(
        world,
        here.map((name) => [
          refusals(round.tried, ({ forged, place }) => forged?.name === name && !leaks.has(place)),
          labelled(`a token ${name}`, hasStatus(403)),
        ]),
      )
    },
  }),

  check('AUTH-JWT-05', {
    title: 'says with 403 that the token is invalid',
    root,
    patterns,
    async play(world) {
      const found = withStatus(await roundOf(world), 403)
      if (found.length === 0) await world.requireMet('AUTH-JWT-04')
      expectEach(world, [[found, says('invalid')]])
    },
  }),

  check('AUTH-JWT-17', {
    title: 'tells nothing in refusals that is not for everybody',
    root,
    patterns,
    async play(world) {
      const { tried } = await roundOf(world)
      const all = refusals(tried, () => true)
      const tokens = tried
        .flatMap(({ forged }) => (forged === undefined ? [] : [forged.token.split('.')[1] ?? '']))
        .filter((part) => part.length > 40)
      const { secret } = world.auth
      expectEach(world, [
        ...(secret === undefined ? [] : ([[all, tellsNo.secret(secret)]] as const)),
        // What the suite made up stands nowhere but in its tokens.
        [all, tellsNo.claims(['somebody-else', ...new Set(tokens)])],
        [all, tellsNo.trace],
      ])
    },
  }),

  check('AUTH-JWT-18', {
    title: 'refuses a token of 64 kB that is not valid',
    root,
    patterns,
    async play(world) {
      const { places } = await roundOf(world)
      const mint = await mintOf(world)
      const long = mint.forged().find(({ forgery }) => forgery === 'size')
      const answers = await Promise.all(
        places.map(async (place) => {
          let found = await world.send(place.request(`Bearer ${long!.token}`))
          // A connection may have ended for its own reasons.
          for (let count = 1; found.status === undefined && count < tries; count += 1)
            found = await world.send(place.request(`Bearer ${long!.token}`))
          return found
        }),
      )
      const isRefused = ({ status = 0 }: HttpExchange) => status >= 400 && status < 500
      // One answer is enough to tell: the first that is none, where there is one.
      world.expect(answers.find((one) => !isRefused(one)) ?? answers[0]!, {
        name: 'is refused',
        expected: 'a status of 400 to 499',
        test: isRefused,
      })
    },
  }),

  check('AUTH-JWT-27', {
    title: 'refuses headers that bring no bearer token',
    root,
    patterns,
    async play(world) {
      const { main } = await roundOf(world)
      const good = (await mintOf(world)).good()
      const headers = {
        'Basic credentials': `Basic ${Buffer.from('touchstone:touchstone').toString('base64')}`,
        'a good token as Basic': `Basic ${good}`,
        'Bearer without a token': 'Bearer',
      }
      for (const [name, header] of Object.entries(headers))
        world.expect(await world.send(main.request(header)), labelled(name, hasStatus(401, 403)))
    },
  }),
]
