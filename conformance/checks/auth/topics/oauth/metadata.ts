import { covers, bare, named, describedAt, asked, served } from '../../support/oauth/metadata.ts'
import { NotApplicable, type Expectation } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { check, oauth } from '../../support/define.ts'
import { metadataIn, metadataRequests, rootOf } from '../../support/endpoints.ts'
import { members } from '../../support/expectations.ts'

const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:/i.test(value)
const tells = (name: string): Expectation<HttpExchange> => ({
  name: `tells ${name}`,
  expected: 'a URL',
  test: (came) => isUrl(members(came)[name]),
  received: (came) => JSON.stringify(members(came)[name]) ?? 'nothing',
})
const holds = (name: string, value: string): Expectation<HttpExchange> => ({
  name: `${name} holds ${value}`,
  expected: `a list with ${value}`,
  test: (came) =>
    ((list: unknown) => Array.isArray(list) && list.includes(value))(members(came)[name]),
  received: (came) => JSON.stringify(members(came)[name]) ?? 'nothing',
})
const isIt = (resource: string, test: (told: unknown) => boolean): Expectation<HttpExchange> => ({
  name: 'is about the resource',
  expected: `resource ${resource}`,
  test: (came) => test(members(came)['resource']),
  received: (came) => JSON.stringify(members(came)['resource']) ?? 'nothing',
})

/** Checks of metadata. */
export const metadata = [
  check('AUTH-META-01', {
    title: 'tells its issuer as it was asked for',
    patterns: oauth,
    async play(world) {
      const { root, answers } = await served(world)
      for (const came of answers)
        world.expect(came, {
          name: 'is the issuer',
          expected: root,
          test: (one) =>
            typeof members(one)['issuer'] === 'string' &&
            bare(members(one)['issuer']) === bare(root),
          received: (one) => JSON.stringify(members(one)['issuer']) ?? 'nothing',
        })
    },
  }),
  check('AUTH-META-02', {
    title: 'tells its endpoints and its types of responses',
    patterns: oauth,
    async play(world) {
      for (const came of (await served(world)).answers)
        world.expect(
          came,
          tells('authorization_endpoint'),
          tells('token_endpoint'),
          holds('response_types_supported', 'code'),
        )
    },
  }),
  check('AUTH-META-03', {
    title: 'tells that challenges may be S256',
    patterns: oauth,
    async play(world) {
      for (const came of (await served(world)).answers)
        world.expect(came, holds('code_challenge_methods_supported', 'S256'))
    },
  }),
  check('AUTH-META-04', {
    title: "tells of a resource which one it is, at the resource's own address",
    patterns: oauth,
    async play(world) {
      const told = (await describedAt(world)).filter(({ came }) => metadataIn(came) !== undefined)
      if (told.length === 0) throw new NotApplicable('there are no metadata of resources')
      for (const { resource, came } of told)
        world.expect(
          came,
          isIt(resource, (one) => bare(one) === bare(resource)),
        )
    },
  }),
  check('AUTH-META-04', {
    title: 'tells of a resource which one it is, where its challenge leads',
    patterns: oauth,
    async play(world) {
      const told = await named(world)
      if (told.length === 0) throw new NotApplicable('no challenge names metadata')
      for (const { resource, url } of told) {
        const came = await world.send(asked(url))
        if (metadataIn(came) === undefined) throw new NotApplicable('there are none')
        // Of a resource that lies below another one, clients take the other's.
        world.expect(
          came,
          isIt(resource, (one) => covers(one, resource)),
        )
      }
    },
  }),
  check('AUTH-META-05', {
    title: 'has metadata where its challenge leads',
    patterns: oauth,
    async play(world) {
      const told = await named(world)
      if (told.length === 0) throw new NotApplicable('no challenge names metadata')
      for (const { url } of told)
        world.expect(await world.send(asked(url)), {
          name: 'is there',
          expected: 'status 200 and an object with resource',
          test: (came) => typeof metadataIn(came)?.['resource'] === 'string',
        })
    },
  }),
  check('AUTH-META-06', {
    title: 'which metadata there are',
    patterns: oauth,
    async play(world) {
      const { auth, access, send, observe } = world
      const root = rootOf(auth, access)
      const { origin } = new URL(root)
      const requests = [
        ...metadataRequests(root),
        asked(`${origin}/.well-known/oauth-protected-resource`),
      ]
      const all = [
        ...(await Promise.all(requests.map(send))),
        ...(await describedAt(world)).map(({ came }) => came),
      ]
      for (const came of all)
        observe(
          `${new URL(came.request.url).pathname}: ${metadataIn(came) === undefined ? `none, status ${came.status ?? 'none'}` : 'there'}`,
        )
    },
  }),
]
