import type { Reply } from '../http/reply.ts'
import { escaped, page } from './page.ts'
import type { Realm } from './realm.ts'
import type { AuthorizationRequest, Client, Subject } from './records.ts'

/** What the page is about: `id` is known to it alone, so that nobody else can send its form. */
interface Shown { id: string; client: Client; request: AuthorizationRequest; subject: Subject | undefined }

interface Manner {
  status?: number
  headers?: Record<string, string>
  /** What was wrong with the last try. */
  problem?: string
  /** The login of the last try. */
  login?: string | undefined
}

/** Who wants what, where it leads, and the choice. Whoever has not signed in does so with the same form. */
export function consentPage(realm: Realm, { id, client, request, subject }: Shown, { status = 200, headers = {}, problem, login = '' }: Manner = {}): Reply {
  const { identity, scopes, name } = realm
  const called = escaped(client.name ?? 'An application without a name')
  const granted = scopes.filter((scope) => request.scopes.includes(scope.name))
  const signsIn = identity.kind === 'own' && subject === undefined
  const body = [
    `<h1>Allow ${called} to use ${escaped(name)}?</h1>`,
    `<p><small>This is what the application calls itself; nobody has checked it. Its identifier: ${escaped(client.id)}${client.uri === undefined ? '' : `. It says more at ${escaped(client.uri)}`}</small></p>`,
    ...(problem === undefined ? [] : [`<p class="wrong" role="alert">${escaped(problem)}</p>`]),
    '<h2>It will be able to</h2>',
    `<ul>\n${granted.map((scope) => `<li>${escaped(scope.says)} <small>(${escaped(scope.name)})</small></li>`).join('\n')}\n</ul>`,
    ...(identity.kind === 'upstream' ? [`<p>You sign in at <b>${escaped(new URL(identity.upstream.authorizeUrl).host)}</b>, which is asked for: ${escaped(identity.upstream.scopes.join(', '))}.</p>`] : []),
    '<h2>Then you return to</h2>',
    `<p><b>${escaped(hostOf(request.redirectUri))}</b><br><small>${escaped(request.redirectUri)}</small></p>`,
    '<form method="post" action="/consent">',
    `<input type="hidden" name="request" value="${escaped(id)}">`,
    ...(signsIn ? [
      '<h2>Sign in to decide</h2>',
      `<label>Login<input name="login" autocomplete="username" autocapitalize="none" required value="${escaped(login)}"></label>`,
      '<label>Password<input name="password" type="password" autocomplete="current-password" required></label>',
    ] : []),
    ...(subject === undefined ? [] : [`<p>You are signed in as <b>${escaped(subject.login)}</b>.</p>`]),
    '<div class="choice">',
    '<button class="go" name="decision" value="approve">Allow</button>',
    '<button name="decision" value="deny" formnovalidate>Deny</button>',
    '</div>',
    '</form>',
  ].join('\n')
  return page(status, `Allow ${client.name ?? 'an application'}?`, body, headers)
}

/** The part of an address by which people know it; an app's own scheme where there is no host. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return host === '' ? `an app on this device (${protocol})` : host
}
