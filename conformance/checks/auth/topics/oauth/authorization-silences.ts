import { check, oauth as patterns } from '../../support/define.ts'
import { codeIn } from '../../support/walk.ts'
import { goodGrant, outcomeOf, publicClient } from '../../support/oauth/walks.ts'

/** What becomes of requests of which nothing is said. */
export const silences = [
  check('AUTH-AUTHORIZE-15', {
    title: 'takes or refuses plain challenges',
    patterns,
    async play(world) {
      const client = await publicClient(world)
      await goodGrant(world, client)
      for (const [label, code_challenge_method] of [
        ['plain', 'plain'],
        ['without a method', undefined],
      ] as const) {
        world.observe(
          `a challenge ${label === 'plain' ? 'of the method plain' : label} leads to ${outcomeOf(await world.walk(await world.ask({ code_challenge_method }, client)))}`,
        )
      }
    },
  }),

  check('AUTH-AUTHORIZE-16', {
    title: 'takes or refuses a request without redirect URI, of a client that has one',
    patterns,
    async play(world) {
      const client = await world.client()
      await goodGrant(world, client)
      world.observe(
        `no redirect URI leads to ${outcomeOf(await world.walk(await world.ask({ redirect_uri: undefined }, client)))}`,
      )
    },
  }),

  check('AUTH-AUTHORIZE-17', {
    title: 'drops or refuses scopes that do not exist',
    patterns,
    async play(world) {
      const client = await world.client()
      await goodGrant(world, client)
      const { scope } = world.auth
      const unknown = 'touchstone:nothing'
      const asked =
        scope === undefined
          ? { alone: unknown }
          : { alone: unknown, 'beside others': `${scope} ${unknown}` }
      for (const [label, one] of Object.entries(asked))
        world.observe(
          `a scope that does not exist, ${label}, leads to ${outcomeOf(await world.walk(await world.ask({ scope: one }, client)))}`,
        )
    },
  }),

  check('AUTH-AUTHORIZE-18', {
    title: 'takes or refuses parameters that come twice',
    patterns,
    async play(world) {
      const client = await world.client()
      const { ask } = await goodGrant(world, client)
      const own = await world.ask({}, client)
      const twice = {
        state: [own.state ?? '', 'another'],
        response_type: ['code', 'code'],
        redirect_uri: [client.redirectUri, client.redirectUri],
        code_challenge: [own.challenge, ask.challenge],
      }
      for (const [name, values] of Object.entries(twice)) {
        const walk = await world.walk(await world.ask({ [name]: values }, client))
        const state = walk.back?.searchParams.getAll('state').join(' and ')
        world.observe(
          `${name} twice leads to ${outcomeOf(walk)}${name === 'state' && codeIn(walk) !== undefined ? `, with ${state === own.state ? 'the first' : state === 'another' ? 'the second' : 'another'} state` : ''}`,
        )
      }
    },
  }),
]
