import type { Reply } from '../http/reply.ts'
import { escapeHtml, page, signInFields } from './page.ts'
import type { Realm } from './realm.ts'
import type { AuthorizationRequest, ClientRecord, ResourceOwner } from './records.ts'

/**
 * The contents of the consent page. `id` is a secret that only this page contains, so that no other
 * page can send the form.
 */
interface ConsentDetails {
  id: string
  client: ClientRecord
  request: AuthorizationRequest
  owner: ResourceOwner | undefined
}

interface PageOptions {
  status?: number
  headers?: Record<string, string>
  /** The problem with the previous attempt. */
  problem?: string
  /** The login of the previous attempt. */
  login?: string | undefined
}

/**
 * Shows the client, the scopes and the redirect URI, and asks for a decision. The same form signs
 * in a user who has not signed in before.
 */
export function consentPage(
  realm: Realm,
  { id, client, request, owner }: ConsentDetails,
  { status = 200, headers = {}, problem, login = '' }: PageOptions = {},
): Reply {
  const {
    identity,
    scopes,
    name,
    choices: { showsScopeNames, clientLabel, redirectLabel, denial },
  } = realm
  const clientName = clientLabel === 'by id' ? undefined : nameOf(client)
  const granted = scopes.filter((scope) => request.scopes.includes(scope.name))
  const signsIn = identity.kind === 'own' && owner === undefined
  const body = [
    clientName === undefined
      ? `<h1>Allow an application without a name to use ${escapeHtml(name)}?</h1>`
      : `<h1>Allow “<bdi id="client-name">${escapeHtml(clientName)}</bdi>” to use ${escapeHtml(name)}?</h1>`,
    ...(clientName === undefined
      ? []
      : ['<p>The application chose this name; it has not been verified.</p>']),
    ...(clientLabel === 'by name'
      ? []
      : [`<p id="client-id"><small>Its identifier: ${escapeHtml(client.id)}</small></p>`]),
    ...(client.uri === undefined
      ? []
      : [`<p><small>Its website: ${escapeHtml(client.uri)}</small></p>`]),
    '<h2>It will be able to</h2>',
    `<ul>\n${granted.map((scope) => `<li>${escapeHtml(scope.description)}${showsScopeNames ? ` <small>(${escapeHtml(scope.name)})</small>` : ''}</li>`).join('\n')}\n</ul>`,
    ...(identity.kind === 'upstream'
      ? [
          '<h2>First you sign in at</h2>',
          `<p><b>${escapeHtml(new URL(identity.upstream.authorizeUrl).host)}</b>${identity.upstream.scopes.length === 0 ? '' : `<br><small id="upstream-scopes">${escapeHtml(name)} requests there: ${escapeHtml(identity.upstream.scopes.join(', '))}</small>`}</p>`,
        ]
      : []),
    '<h2>Then you will return to</h2>',
    `<p id="return-to"><b>${escapeHtml(hostOf(request.redirectUri))}</b>${redirectLabel === 'in full' ? `<br><small>${escapeHtml(request.redirectUri)}</small>` : ''}</p>`,
    '<form method="post" action="/consent">',
    `<input type="hidden" name="request" value="${escapeHtml(id)}">`,
    ...(signsIn ? ['<h2>Sign in to allow this</h2>', signInFields(problem, login)] : []),
    ...(owner === undefined
      ? []
      : [`<p>You are signed in as <b>${escapeHtml(owner.login)}</b>.</p>`]),
    '<div class="choice">',
    '<button class="go" name="decision" value="approve">Allow</button>',
    denial === 'by a link'
      ? `<a href="/deny?request=${escapeHtml(id)}">Deny</a>`
      : '<button name="decision" value="deny" formnovalidate>Deny</button>',
    '</div>',
    '</form>',
  ].join('\n')
  return page(
    status,
    `Allow ${clientName === undefined ? 'an application' : `“${clientName}”`}?`,
    body,
    headers,
  )
}

/**
 * The maximum length of a client's name. A longer name would push the rest of the page out of view.
 */
const maxNameLength = 80

/** The name of a client; undefined if it has no visible characters. */
function nameOf({ name = '' }: ClientRecord): string | undefined {
  const letters = [...name.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()]
  if (letters.length === 0) return undefined
  return letters.length > maxNameLength
    ? `${letters.slice(0, maxNameLength - 1).join('')}…`
    : letters.join('')
}

/** The host of a redirect URI, or the scheme of an app if there is no host. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' ? `an app on this device (${protocol})` : host
}
