import { labelled } from '../../../../engine/index.ts'
import { check } from '../../support/define.ts'
import { getForgeryRound, type TokenAttempt } from '../../support/jwt/forgery-round.ts'
import { expectEach, refused } from '../../support/jwt/refusal-text.ts'

const withoutHeader = { ...refused, name: 'is refused without an Authorization header' }
const withBadToken = { ...refused, name: 'is refused with a bad token' }

export const endpointsChecks = [
  check('AUTH-JWT-16', {
    title: 'requires a valid token at every endpoint and in every session',
    root: 'AUTH-JWT-01',
    patterns: ['jwt'],
    async run(world) {
      const { mainEndpoint, attempts } = await getForgeryRound(world)
      const others = [...new Set(attempts.map(({ endpoint }) => endpoint))].filter(
        (endpoint) => endpoint !== mainEndpoint,
      )
      const exchanges = (name: string, test: (one: TokenAttempt) => boolean) =>
        attempts.filter((one) => one.endpoint.name === name && test(one)).map((one) => one.exchange)
      // The other endpoints must refuse what the main endpoint refuses. If the main endpoint
      // accepts a bad token, another requirement reports it.
      const refusedAtMain = new Set(
        attempts.flatMap(({ endpoint, forged, exchange }) =>
          endpoint === mainEndpoint && refused.test(exchange) ? (forged?.name ?? []) : [],
        ),
      )
      expectEach(world, [
        ...[mainEndpoint, ...others].map(
          ({ name }) =>
            [
              exchanges(name, ({ forged }) => forged === undefined),
              labelled(name, withoutHeader),
            ] as const,
        ),
        ...others.map(
          ({ name }) =>
            [
              exchanges(
                name,
                ({ forged }) => forged !== undefined && refusedAtMain.has(forged.name),
              ),
              labelled(name, withBadToken),
            ] as const,
        ),
      ])
    },
  }),
]
