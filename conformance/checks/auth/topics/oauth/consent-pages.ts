import { framed, toldTo, shown } from '../../support/oauth/shown-pages.ts'
import { type Expectation, NotCovered } from '../../../../engine/index.ts'
import type { HttpExchange } from '../../../../wire/index.ts'
import { webRedirectUri } from '../../support/client.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import { members } from '../../support/expectations.ts'
import { type Walk } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'
import { needsPages } from '../../support/oauth/walks.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

const tells = (name: string, ...words: readonly string[]): Expectation<string> => ({
  name,
  expected: `one of: ${words.join(', ')}`,
  test: (text) => words.some((word) => text.includes(word.toLowerCase())),
  received: (text) => `«${text.slice(0, 300)}»`,
})

/** Scopes that there are: those that the target file has the suite ask for, else those of the metadata. */
async function scopesOf({ auth, endpoints }: AuthWorld): Promise<readonly string[]> {
  if (auth.scope !== undefined) return auth.scope.split(' ').filter((one) => one !== '')
  const { metadata } = await endpoints()
  const listed = metadata === undefined ? undefined : members(metadata)['scopes_supported']
  return Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string') : []
}

const tellsScopes: Expectation<{ named: boolean; texts: readonly string[] }> = {
  name: 'tells what is asked for',
  expected: 'names of scopes, or other words for other scopes',
  test: ({ named, texts }) => named || new Set(texts).size > 1,
  received: ({ texts: [text = ''] }) => `for all scopes the same: «${text.slice(0, 300)}»`,
}
const cannotBeFramed: Expectation<HttpExchange> = {
  name: 'cannot be framed',
  expected: 'frame-ancestors without everybody, or X-Frame-Options with DENY or SAMEORIGIN',
  test: (one) => framed(one) === '',
  received: framed,
}

const needsNoScript: Expectation<Walk> = {
  name: 'needs no script',
  expected: 'a form, or a link',
  test: ({ back, pages }) =>
    back !== undefined || pages.at(-1)?.hasScripts !== true || pages.at(-1)!.forms.length > 0,
  received: () => 'scripts, and no form',
}

/** What the page that asks looks like. */
export const pages = [
  check('AUTH-CONSENT-05', {
    title: 'tells which client asks',
    patterns,
    async play(world) {
      needsPages(world)
      const name = 'Heron Reader'
      const { text, client } = await toldTo(world, 'with a name', { client_name: name })
      world.expectOf(
        text,
        tells('tells the client', ...(client.metadata === undefined ? [] : [name]), client.id),
      )
    },
  }),

  check('AUTH-CONSENT-06', {
    title: 'tells the permissions',
    patterns,
    async play(world) {
      needsPages(world)
      const scopes = await scopesOf(world)
      // Each time another client asks, by another id.
      const toldFor = async (name: string, asked: readonly string[]) => {
        const {
          text,
          client: { id },
        } = await toldTo(world, name, {}, asked.length === 0 ? {} : { scope: asked.join(' ') })
        return text.replaceAll(id.toLowerCase(), '')
      }
      const all = await toldFor('with scopes', scopes)
      const named = [scopes, world.auth.upstream?.scopes ?? []].some(
        (list) => list.length > 0 && list.every((scope) => all.includes(scope.toLowerCase())),
      )
      // A page may tell them in words of its own: then other scopes have other words.
      if (!named && scopes.length < 2)
        throw new NotCovered<ToolsNeed>(
          'the page does not name scopes, and there are no two to compare',
          ['tools.auth.scope'],
        )
      const others = named
        ? []
        : await Promise.all(scopes.slice(0, 4).map((scope) => toldFor(`with ${scope}`, [scope])))
      world.expectOf({ named, texts: [all, ...others] }, tellsScopes)
    },
  }),

  check('AUTH-CONSENT-07', {
    title: 'tells where one returns',
    patterns,
    async play(world) {
      needsPages(world)
      const { text, client } = await toldTo(world, 'of a page', {
        redirect_uris: [webRedirectUri],
        application_type: 'web',
      })
      const { hostname } = new URL(client.redirectUri)
      // To the user's own machine is told in many ways.
      if (hostname === '' || /^(127\.|\[|localhost$)/.test(hostname))
        throw new NotCovered<ToolsNeed>("the client returns to the user's own machine", [
          'tools.auth.registration',
        ])
      world.expectOf(text, tells('tells the host', hostname))
    },
  }),

  check('AUTH-CONSENT-08', {
    title: 'asks on a page that cannot be framed',
    patterns,
    async play(world) {
      needsPages(world)
      const { exchange } = shown(await world.walk(await world.ask())).at(-1)!
      world.expect(exchange, cannotBeFramed)
    },
  }),

  check('AUTH-CONSENT-09', {
    title: 'asks without scripts',
    patterns,
    async play(world) {
      needsPages(world)
      const walk = await world.walk(await world.ask())
      if (walk.pages.length === 0) shown(walk)
      world.expectOf(walk, needsNoScript)
    },
  }),
]
