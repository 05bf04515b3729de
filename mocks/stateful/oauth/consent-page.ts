import type { Reply } from '../http/reply.ts'
import { escaped, page, signInFields } from './page.ts'
import type { Realm } from './realm.ts'
import type { AuthorizationRequest, ClientRecord, ResourceOwner } from './records.ts'

/** What the page is about: `id` is known to it alone, so that nobody else can send its form. */
interface Shown {
  id: string
  client: ClientRecord
  request: AuthorizationRequest
  subject: ResourceOwner | undefined
}

interface Manner {
  status?: number
  headers?: Record<string, string>
  /** What was wrong with the last try. */
  problem?: string
  /** The login of the last try. */
  login?: string | undefined
}

/** Who wants what, where it leads, and the choice. Whoever has not signed in does so with the same form. */
export function consentPage(
  realm: Realm,
  { id, client, request, subject }: Shown,
  { status = 200, headers = {}, problem, login = '' }: Manner = {},
): Reply {
  const {
    identity,
    scopes,
    name,
    choices: { namesScopes, namesClients, namesRedirects, denial },
  } = realm
  const called = namesClients === 'by id' ? undefined : nameOf(client)
  const granted = scopes.filter((scope) => request.scopes.includes(scope.name))
  const signsIn = identity.kind === 'own' && subject === undefined
  const body = [
    called === undefined
      ? `<h1>Allow an application without a name to use ${escaped(name)}?</h1>`
      : `<h1>Allow “<bdi>${escaped(called)}</bdi>” to use ${escaped(name)}?</h1>`,
    ...(called === undefined
      ? []
      : ['<p>This is what the application calls itself; nobody has checked it.</p>']),
    ...(namesClients === 'by name'
      ? []
      : [`<p><small>Its identifier: ${escaped(client.id)}</small></p>`]),
    ...(client.uri === undefined
      ? []
      : [`<p><small>It says more at: ${escaped(client.uri)}</small></p>`]),
    '<h2>It will be able to</h2>',
    `<ul>\n${granted.map((scope) => `<li>${escaped(scope.says)}${namesScopes ? ` <small>(${escaped(scope.name)})</small>` : ''}</li>`).join('\n')}\n</ul>`,
    ...(identity.kind === 'upstream'
      ? [
          '<h2>First you sign in at</h2>',
          `<p><b>${escaped(new URL(identity.upstream.authorizeUrl).host)}</b>${identity.upstream.scopes.length === 0 ? '' : `<br><small>There ${escaped(name)} asks for: ${escaped(identity.upstream.scopes.join(', '))}</small>`}</p>`,
        ]
      : []),
    '<h2>Then you return to</h2>',
    `<p><b>${escaped(hostOf(request.redirectUri))}</b>${namesRedirects === 'in full' ? `<br><small>${escaped(request.redirectUri)}</small>` : ''}</p>`,
    '<form method="post" action="/consent">',
    `<input type="hidden" name="request" value="${escaped(id)}">`,
    ...(signsIn ? ['<h2>Sign in to allow this</h2>', signInFields(problem, login)] : []),
    ...(subject === undefined
      ? []
      : [`<p>You are signed in as <b>${escaped(subject.login)}</b>.</p>`]),
    '<div class="choice">',
    '<button class="go" name="decision" value="approve">Allow</button>',
    denial === 'by a link'
      ? `<a href="/deny?request=${escaped(id)}">Deny</a>`
      : '<button name="decision" value="deny" formnovalidate>Deny</button>',
    '</div>',
    '</form>',
  ].join('\n')
  return page(
    status,
    `Allow ${called === undefined ? 'an application' : `“${called}”`}?`,
    body,
    headers,
  )
}

/** A longer name would push away what the page has to say. */
const longestName = 80

/** What a client calls itself; undefined where that is nothing to be seen. */
function nameOf({ name = '' }: ClientRecord): string | undefined {
  const letters = [...name.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()]
  if (letters.length === 0) return undefined
  return letters.length > longestName
    ? `${letters.slice(0, longestName - 1).join('')}…`
    : letters.join('')
}

/** The part of an address by which people know it; an app's own scheme where there is no host. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' ? `an app on this device (${protocol})` : host
}
