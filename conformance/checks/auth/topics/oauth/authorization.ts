import {
  Blocked,
  type Expectation,
  NotApplicable,
  NotCovered,
  labelled,
} from '../../../../engine/index.ts'
import { chooseControl } from '../../../../wire/oauth/choice.ts'
import type { AuthTarget } from '../../../tools/authentication.ts'
import { codeIn, told, type Walk } from '../../support/walk.ts'
import type { AuthWorld } from '../../support/world.ts'
import { check, oauth as patterns } from '../../support/define.ts'
import {
  bringsCode,
  comesBack,
  goodGrant,
  needsBrowser,
  needsDecision,
} from '../../support/oauth/walks.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** Characters that the standard lets a state have, of all kinds. */
const oddState = 'a&b=c?d/e f%20g+h;i#j"k\'l<m>~'

const withState = (state: string | undefined): Expectation<Walk> => ({
  name: 'brings the state',
  expected: 'the state as it was sent',
  test: (walk) => walk.back?.searchParams.get('state') === state,
})
const keepsQuery: Expectation<Walk> = {
  name: 'keeps the query',
  expected: 'app=1 and from=touchstone, as they are registered',
  test: ({ back }) =>
    back?.searchParams.get('app') === '1' && back.searchParams.get('from') === 'touchstone',
}
const tellsIssuer = (issuer: string): Expectation<Walk> => ({
  name: 'brings the issuer',
  expected: `iss=${issuer}`,
  test: (walk) => told(walk)['iss'] === issuer,
})

/** What was answered where a form was filled in, and led to the client at once. */
const sendingBack = ({ exchanges, back }: Walk) =>
  back === undefined || exchanges.at(-1)?.request.method !== 'POST' ? [] : exchanges.slice(-1)
const not307: Expectation<Walk> = {
  name: 'has another status than 307',
  expected: 'a status by which the form is not sent on',
  test: (walk) => sendingBack(walk).every(({ status }) => status !== 307),
}

/** A page on which the suite cannot decide proves nothing: it may need scripts, or have words that the suite does not know. */
function unreadable({ back, pages, summary }: Walk, { approve }: AuthTarget): void {
  const page = pages.at(-1)
  if (
    back !== undefined ||
    page === undefined ||
    typeof chooseControl(page, 'approve', approve) !== 'string'
  )
    return
  if (page.forms.length > 0) throw new NotCovered<ToolsNeed>(summary, ['tools.auth.approve'])
  if (page.hasScripts) throw new NotCovered<ToolsNeed>(summary, ['tools.auth.command'])
}

/** A user who does not come back with a code is the affair of the row that says so. */
async function allowed(world: AuthWorld, walk: Walk): Promise<void> {
  if (codeIn(walk) === undefined) await world.requireMet('AUTH-AUTHORIZE-01', walk.summary)
}

/** What comes of a good request. */
export const authorization = [
  check('AUTH-AUTHORIZE-01', {
    title: 'sends an allowed client a code',
    patterns,
    async play({ endpoints, ask, walk, auth, expectOf }) {
      const { root, authorize } = await endpoints()
      const gone = await walk(await ask())
      const [first] = gone.exchanges
      if (
        authorize === `${root}/authorize` &&
        first !== undefined &&
        [404, 405, 501].includes(first.status ?? 0)
      )
        throw new Blocked('AUTH-ENDPOINT-01', gone.summary)
      unreadable(gone, auth)
      expectOf(gone, comesBack, bringsCode)
    },
  }),

  check('AUTH-AUTHORIZE-02', {
    title: 'sends the state back as it came',
    patterns,
    async play(world) {
      for (const [label, state] of [
        ['of letters', undefined],
        ['of other characters', oddState],
        ['of 300 characters', 'Touchstone'.repeat(30)],
      ] as const) {
        const ask = await world.ask(state === undefined ? {} : { state })
        const walk = await world.walk(ask)
        await allowed(world, walk)
        world.expectOf(walk, labelled(label, withState(ask.state)))
      }
    },
  }),

  check('AUTH-AUTHORIZE-03', {
    title: 'keeps the query of a redirect URI',
    patterns,
    async play(world) {
      const walk = await world.walk(
        await world.ask({}, await world.client('with a query', await withQuery(world))),
      )
      await allowed(world, walk)
      world.expectOf(walk, keepsQuery)
    },
  }),

  check('AUTH-AUTHORIZE-08', {
    title: 'takes any port on loopback',
    patterns,
    async play(world) {
      needsBrowser(world)
      const client = await world.client()
      const { protocol, hostname, port } = new URL(client.redirectUri)
      if (protocol !== 'http:' || !/^127\.|^\[::1\]$/.test(hostname))
        throw new NotCovered<ToolsNeed>('the client does not return to loopback', [
          'tools.auth.redirectUri',
        ])
      await goodGrant(world, client)
      const other = new URL(client.redirectUri)
      other.port = port === '8765' ? '8766' : '8765'
      const walk = await world.walk(await world.ask({ redirect_uri: other.href }, client))
      world.expectOf(
        walk,
        comesBack,
        {
          name: 'comes to the other port',
          expected: `port ${other.port}`,
          test: ({ back }) => back?.port === other.port,
        },
        bringsCode,
      )
    },
  }),

  check('AUTH-AUTHORIZE-13', {
    title: 'tells its issuer where its metadata promise so',
    patterns,
    async play(world) {
      const { metadata, issuer } = await world.endpoints()
      const promised =
        metadata !== undefined &&
        (metadata.json as Record<string, unknown>)[
          'authorization_response_iss_parameter_supported'
        ] === true
      if (!promised) throw new NotApplicable('no metadata promise it')
      if (issuer === undefined) throw new Blocked('AUTH-META-01', 'the metadata tell no issuer')
      const walk = await world.walk(await world.ask())
      await allowed(world, walk)
      world.expectOf(walk, labelled('with a code', tellsIssuer(issuer)))
      const refused = await world.walk(await world.ask({ response_type: undefined }))
      if (told(refused)['error'] !== undefined)
        world.expectOf(refused, labelled('with an error', tellsIssuer(issuer)))
      if (world.auth.consent === 'auto') return
      const denied = await world.walk(await world.ask(), 'deny')
      if (told(denied)['error'] !== undefined)
        world.expectOf(denied, labelled('with a denial', tellsIssuer(issuer)))
    },
  }),

  check('AUTH-AUTHORIZE-14', {
    title: 'sends nobody back with 307 after a form',
    patterns,
    async play(world) {
      needsBrowser(world)
      needsDecision(world)
      const walk = await world.walk(await world.ask())
      await allowed(world, walk)
      const denied = await world.walk(await world.ask(), 'deny')
      if ([walk, denied].every((one) => sendingBack(one).length === 0))
        throw new NotApplicable('no form leads back')
      world.expectOf(walk, labelled('after an approval', not307))
      world.expectOf(denied, labelled('after a denial', not307))
    },
  }),
]

/** Metadata of a client whose redirect URI has a query: that of the suite, with more. */
async function withQuery({ registering }: AuthWorld): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await registering()
  const [uri] =
    body?.kind === 'json' ? (body.value as { redirect_uris: string[] }).redirect_uris : []
  return { redirect_uris: [`${uri}?app=1&from=touchstone`] }
}
