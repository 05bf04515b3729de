import { usedUp } from '../../support/oauth/token-use.ts'
import { randomBytes } from 'node:crypto'
import { type Expectation, NotApplicable, NotCovered, labelled } from '../../../../engine/index.ts'
import type { HttpExchange, HttpRequest } from '../../../../wire/index.ts'
import type { Client } from '../../support/client.ts'
import { check } from '../../support/define.ts'
import { tokenRequest, type Tokens } from '../../support/grant.ts'
import { isServed } from '../../support/places.ts'
import { members } from '../../support/expectations.ts'
import type { AuthWorld } from '../../support/world.ts'
import { confidential } from '../../support/oauth/granting.ts'

const patterns = ['oauth-provider'] as const

/** A client that can prove who it is, since others may have no say in the status of tokens. It is of one grant alone: another one may end what was allowed before. */
const provable = (world: AuthWorld, name: string): Promise<Client> =>
  world.auth.registration === false ? world.client() : confidential(world, name)

const telling = (active: boolean): Expectation<HttpExchange> => ({
  name: `tells active as ${active}`,
  expected: `200, and active: ${active}`,
  test: (exchange) => exchange.status === 200 && members(exchange)['active'] === active,
})

const worksNoMore: Expectation<readonly HttpExchange[]> = {
  name: 'works no more',
  expected: 'a refusal at every transport',
  test: (answers) => !answers.some(isServed),
  received: (answers) => answers.map(({ summary }) => summary).join(' | '),
}

/** Looking into tokens, and ending them. */
export const status = [
  check('AUTH-PROVIDER-03', {
    title: 'offers an endpoint at which tokens are looked into',
    patterns,
    async play({ endpoints, expect }) {
      const { metadata, introspect } = await endpoints()
      // The document names no path for it, so that only metadata can tell.
      if (metadata === undefined)
        throw new NotCovered('no metadata tells where tokens can be looked into')
      expect(metadata, {
        name: 'names an introspection endpoint',
        expected: 'introspection_endpoint in the metadata',
        test: () => introspect !== undefined,
      })
    },
  }),

  check('AUTH-PROVIDER-04', {
    title: 'tells a living token as active, and an invented one as not active',
    patterns,
    async play(world) {
      const { introspect } = await world.endpoints()
      if (introspect === undefined) throw new NotApplicable('tokens cannot be looked into')
      const client = await provable(world, 'provider 04')
      const { access } = await world.tokens({}, client)
      const about = (token: string): HttpRequest =>
        tokenRequest('introspect', introspect, client, { token })
      const [living, invented] = await Promise.all([
        world.send(about(access)),
        world.send(about(world.made.add(randomBytes(32).toString('base64url'), 'token'))),
      ])
      // RFC 7662 §2.1 leaves open who may ask: not everybody's clients, perhaps.
      if (living.status === 401 || living.status === 403)
        throw new NotCovered(`clients may not look into tokens: ${living.summary}`)
      world.expect(living, labelled('a living token', telling(true)))
      world.expect(invented, labelled('an invented token', telling(false)))
    },
  }),

  check('AUTH-PROVIDER-05', {
    title: 'serves no token that was revoked',
    patterns,
    async play(world) {
      const { revoke } = await world.endpoints()
      if (revoke === undefined) throw new NotApplicable('tokens cannot be revoked')
      const [one, other] = await Promise.all(
        ['provider 05', 'provider 05, to refresh'].map(async (name) =>
          world.tokens({}, await provable(world, name)),
        ),
      )
      if (one === undefined || other === undefined) return
      const ends = (token: string, { grant: { client } }: Tokens) =>
        world.send(tokenRequest('revoke', revoke, client, { token }))
      const unsupported = (exchange: HttpExchange) =>
        members(exchange)['error'] === 'unsupported_token_type'
      const revokes: Expectation<HttpExchange> = {
        name: 'is revoked',
        expected: 'status 200',
        test: ({ status: got }) => got === 200,
      }

      const before = await world.use(one.access)
      const revoked = await ends(one.access, one)
      // RFC 7009 §2: access tokens need not be revocable, and then that is said.
      if (!unsupported(revoked)) {
        for (const served of before)
          if (!isServed(served)) await world.requireMet(world.served, served.summary)
        world.expect(revoked, labelled('an access token', revokes))
        world.expectOf(await usedUp(world, one.access), labelled('an access token', worksNoMore))
      }
      if (other.refresh === undefined) {
        if (unsupported(revoked))
          throw new NotApplicable('access tokens cannot be revoked, and there are no others')
        return
      }
      world.expect(await ends(other.refresh, other), labelled('a refresh token', revokes))
      world.expectOf(
        [await world.send(await world.refreshing(other))],
        labelled('a refresh token', worksNoMore),
      )
    },
  }),
]
