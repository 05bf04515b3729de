import type { ServerResponse } from 'node:http'

export const problemPage = (problem: string): string =>
  page('This request failed', `<p role="alert">${escapeHtml(problem)}</p>`)

export function loginPage(
  action: string,
  { client, problem = '' }: { client: string; problem?: string },
): string {
  return page(
    'Sign in',
    `
<p>${escapeHtml(client)} would like to use the shelf.</p>
<p role="alert">${escapeHtml(problem)}</p>
<form method="post" action="${escapeHtml(action)}">
<label>Login <input name="login" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button name="decision" value="approve">Sign in</button>
<button name="decision" value="deny" formnovalidate>Cancel</button>
</form>`,
  )
}

export function consentPage(
  action: string,
  {
    client,
    scopes,
    redirectUri,
    login,
  }: { client: string; scopes: readonly string[]; redirectUri: string; login: string },
): string {
  return page(
    'Allow access',
    `
<p>${escapeHtml(client)} would like to use the shelf as ${escapeHtml(login)}:</p>
<ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
<p>You will be redirected to ${escapeHtml(redirectUri)}</p>
<form method="post" action="${escapeHtml(action)}">
<button name="decision" value="approve">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  )
}

/** Sends a page that cannot be framed. */
export function sendPage(response: ServerResponse, status: number, html: string): void {
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

export const page = (title: string, body: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>\n`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => entities[found]!)
