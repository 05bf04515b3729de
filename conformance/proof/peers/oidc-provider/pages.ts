import type { ServerResponse } from 'node:http'

export const problemPage = (problem: string): string =>
  page('This did not work', `<p role="alert">${escaped(problem)}</p>`)

/** Who comes. */
export function loginPage(
  action: string,
  { client, problem = '' }: { client: string; problem?: string },
): string {
  return page(
    'Sign in',
    `
<p>${escaped(client)} would like to use the shelf.</p>
<p role="alert">${escaped(problem)}</p>
<form method="post" action="${escaped(action)}">
<label>Login <input name="login" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button name="decision" value="approve">Sign in</button>
<button name="decision" value="deny" formnovalidate>Cancel</button>
</form>`,
  )
}

/** What they allow, and to whom. */
export function consentPage(
  action: string,
  {
    client,
    scopes,
    leadsTo,
    login,
  }: { client: string; scopes: readonly string[]; leadsTo: string; login: string },
): string {
  return page(
    'Allow access',
    `
<p>${escaped(client)} would like to use the shelf as ${escaped(login)}:</p>
<ul>${scopes.map((scope) => `<li>${escaped(scope)}</li>`).join('')}</ul>
<p>It takes you back to ${escaped(leadsTo)}</p>
<form method="post" action="${escaped(action)}">
<button name="decision" value="approve">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  )
}

/** Sends a page that no other page may frame. */
export function show(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    .end(html)
}

const page = (title: string, body: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>\n`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => entities[found]!)
