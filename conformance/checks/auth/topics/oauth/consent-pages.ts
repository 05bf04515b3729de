import {
  framingProblem,
  readConsentText,
  readConsentTextOf,
  requireConsentPages,
} from '../../support/oauth/shown-pages.ts'
import {
  Blocked,
  type Expectation,
  labelled,
  NotApplicable,
  NotCovered,
} from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { type Client, clientName } from '../../support/client.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { members } from '../../support/expectations.ts'
import { type AuthorizationFlow } from '../../support/authorization-flow.ts'
import type { AuthWorld } from '../../support/world.ts'
import { requireConsentPage, unapprovedClient } from '../../support/oauth/flows.ts'
import { approveOneScope, requestMoreScopes } from '../../support/oauth/wider-requests.ts'
import { elementIds } from '../../../../wire/oauth/tree.ts'
import {
  clientForAllScopes,
  clientForMoreScopes,
  clientWithoutMethod,
  deniedClient,
  firstFlowIn,
  shownName,
} from '../../support/oauth/known-clients.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const shows = (name: string, ...words: readonly string[]): Expectation<string> => ({
  name,
  expected: `one of: ${words.join(', ')}`,
  test: (text) => words.some((word) => text.includes(word.toLowerCase())),
  received: (text) => `"${text.slice(0, 300)}"`,
})

/** The scopes in the target file, or else those in the metadata. */
async function scopesOf({ auth, findEndpoints }: AuthWorld): Promise<readonly string[]> {
  if (auth.scope !== undefined) return auth.scope.split(' ').filter((one) => one !== '')
  const { metadata } = await findEndpoints()
  const listed = metadata === undefined ? undefined : members(metadata)['scopes_supported']
  return Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string') : []
}

/** A client that no user has approved. Users may have approved the only client before. */
async function newClient(
  world: AuthWorld,
  getClient: (world: AuthWorld) => Promise<Client>,
): Promise<Client> {
  requireConsentPage(world)
  if (world.auth.registration === false)
    throw new NotCovered<ToolsNeed>('users may have approved the only client before', [
      'tools.auth.registration',
    ])
  return getClient(world)
}

/** Expects a client to receive no further permission before its user has approved it. */
async function expectNewConsent(world: AuthWorld, client: Client): Promise<void> {
  const granted = await requestMoreScopes(world, await approveOneScope(world, client))
  world.expectValue(granted, {
    name: 'grants no further permission without asking',
    expected: 'a consent page, or only the scopes that the user approved',
    test: (scopes) => scopes.length === 0,
    received: (scopes) => `${scopes.join(' ')} without a consent page`,
  })
}

const showsScopes: Expectation<{ named: boolean; variants: readonly string[] }> = {
  name: 'shows the permissions',
  expected: 'the names of the scopes, or different text for different scopes',
  test: ({ named, variants }) => named || new Set(variants).size > 1,
  received: ({ variants: [text = ''] }) => `the same for all scopes: "${text.slice(0, 300)}"`,
}
const cannotBeFramed: Expectation<HttpExchange> = {
  name: 'cannot be framed',
  expected: 'frame-ancestors that excludes other sites, or X-Frame-Options with DENY or SAMEORIGIN',
  test: (one) => framingProblem(one) === '',
  received: framingProblem,
}

const needsNoScript: Expectation<AuthorizationFlow> = {
  name: 'needs no script',
  expected: 'a form or a link',
  test: ({ destination, pages }) =>
    destination !== undefined ||
    pages.at(-1)?.hasScripts !== true ||
    pages.at(-1)!.forms.length > 0,
  received: () => 'scripts, but no form',
}

/** Checks of the contents of the consent page. */
export const consentPagesChecks = [
  check('AUTH-CONSENT-05', {
    title: 'shows which client asks for approval',
    patterns,
    async run(world) {
      requireConsentPage(world)
      const { text, client } = await readConsentText(world)
      const isConfigured = client.metadata === undefined
      // The page may show the name under which the operator registered the client.
      if (isConfigured && !text.includes(client.id.toLowerCase()))
        throw new NotCovered<ToolsNeed>(
          'the page does not show the id of the client, and the suite does not know the name of the client',
          ['tools.auth.registration'],
        )
      const names = isConfigured ? [] : [shownName]
      world.expectValue(text, shows('shows the client', ...names, client.id))
    },
  }),

  check('AUTH-CONSENT-06', {
    title: 'shows the permissions that the client requests',
    patterns,
    async run(world) {
      requireConsentPage(world)
      const scopes = await scopesOf(world)
      // Each page is for a new client. The client's id is removed from the text, so that pages
      // differ only in the scopes.
      const textFor = async (client: Client, requested: readonly string[]) => {
        const { text } = await readConsentTextOf(
          world,
          client,
          requested.length === 0 ? {} : { scope: requested.join(' ') },
        )
        return text.replaceAll(client.id.toLowerCase(), '')
      }
      // All clients have the same name, so that pages do not differ in the name.
      const clientFor = (scope: string) =>
        unapprovedClient(world, `with ${scope}`, { client_name: clientName })
      await world.requireMet('AUTH-AUTHORIZE-01')
      const all = await textFor(
        world.auth.registration === false
          ? await world.getClient()
          : await clientForAllScopes(world),
        scopes,
      )
      const named = [scopes, world.auth.upstream?.scopes ?? []].some(
        (list) => list.length > 0 && list.every((scope) => all.includes(scope.toLowerCase())),
      )
      // A page may describe scopes in its own words. The check then compares the page for all
      // scopes with pages for single scopes.
      if (!named && scopes.length < 2)
        throw new NotCovered<ToolsNeed>(
          'the page does not name scopes, and fewer than two scopes are known, so there is nothing to compare',
          ['tools.auth.scope'],
        )
      const others = named
        ? []
        : await Promise.all(
            scopes.slice(0, 4).map(async (scope) => textFor(await clientFor(scope), [scope])),
          )
      world.expectValue({ named, variants: [all, ...others] }, showsScopes)
    },
  }),

  check('AUTH-CONSENT-07', {
    title: 'shows where the user is redirected',
    patterns,
    async run(world) {
      requireConsentPage(world)
      const { text, client } = await readConsentText(world)
      const { hostname } = new URL(client.redirectUri)
      // A page may describe the user's own machine in any words.
      if (hostname === '' || /^(127\.|\[|localhost$)/.test(hostname))
        throw new NotCovered<ToolsNeed>(
          "the client redirects to the user's own machine",
          world.auth.registration === false ? ['tools.auth.redirectUri'] : [],
        )
      world.expectValue(text, shows('shows the host', hostname))
    },
  }),

  check('AUTH-CONSENT-08', {
    title: 'shows a consent page that cannot be framed',
    patterns,
    async run(world) {
      requireConsentPage(world)
      const { flow } = await firstFlowIn(world)
      const { exchange } = requireConsentPages(flow).at(-1)!
      world.expect(exchange, cannotBeFramed)
    },
  }),

  check('AUTH-CONSENT-10', {
    title: 'adds no markup from the client to the consent page',
    patterns,
    async run(world) {
      requireConsentPage(world)
      await world.requireMet('AUTH-AUTHORIZE-01')
      // The markup closes an attribute and an element, and then opens another element.
      const markup = (name: string) => `"'></p></title><u id="touchstone-${name}">x</u>`
      // A server may refuse a name with markup.
      const client = await unapprovedClient(world, 'with markup', {
        client_name: `${clientName} ${markup('name')}`,
      }).catch((error: unknown) => {
        if (error instanceof Blocked) return deniedClient(world)
        throw error
      })
      const flow = await world.runFlow(
        await world.newAuthorizationRequest({ state: markup('state') }, client),
        'deny',
      )
      if (flow.pages.length === 0)
        throw new Blocked('AUTH-CONSENT-01', 'the user was not asked', 'a page that asks the user')
      for (const { exchange } of flow.pages) {
        const ids = elementIds(exchange.body.toString('utf8'))
        for (const name of ['name', 'state'])
          world.expect(
            exchange,
            labelled(`the ${name}`, {
              name: 'is escaped',
              expected: 'no HTML element from the name or the state that the client sent',
              test: () => !ids.has(`touchstone-${name}`),
            }),
          )
      }
    },
  }),

  check('AUTH-CONSENT-11', {
    title: 'asks the user again if an approved client requests more permissions',
    door: 'a client without a secret',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    run: async (world) => expectNewConsent(world, await newClient(world, clientForMoreScopes)),
  }),

  check('AUTH-CONSENT-11', {
    title: 'asks the user again if an approved client with a secret requests more',
    door: 'a client with a secret',
    patterns,
    root: 'AUTH-AUTHORIZE-01',
    async run(world) {
      const client = await newClient(world, clientWithoutMethod)
      if (client.secret === undefined)
        throw new NotApplicable('a client without a method has no secret')
      await expectNewConsent(world, client)
    },
  }),

  check('AUTH-CONSENT-09', {
    title: 'asks for approval without scripts',
    patterns,
    async run(world) {
      requireConsentPage(world)
      const { flow } = await firstFlowIn(world)
      if (flow.pages.length === 0) requireConsentPages(flow)
      world.expectValue(flow, needsNoScript)
    },
  }),
]
