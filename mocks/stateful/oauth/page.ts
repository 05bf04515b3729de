import { createHash } from 'node:crypto'
import type { Reply } from '../http/reply.ts'

const style = `
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #595959; --line: #8a8a8a; --go: #0b57a4; --wrong: #a40000 }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f2; --paper: #161616; --faint: #b5b5b5; --line: #7d7d7d; --go: #1f6fc4; --wrong: #ff9a9a } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance }
h2 { font-size: 1.125rem; margin: 1.5rem 0 .25rem }
p, ul { margin: .25rem 0 }
ul { padding-left: 1.25rem }
small { color: var(--faint); font-size: 1rem }
label { display: block; margin: .75rem 0 }
input { display: block; scroll-margin: 9rem 0; width: 100%; margin-top: .25rem; padding: .6rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .3rem }
button { width: 100%; min-height: 3rem; margin-top: 1rem; padding: .6rem 1.5rem; font: inherit; color: var(--ink); background: var(--paper); border: 2px solid var(--line); border-radius: .3rem; cursor: pointer }
button.go { color: #fff; background: var(--go); border-color: var(--go) }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px }
.wrong { margin: .75rem 0; padding: .6rem .75rem; color: var(--wrong); font-weight: bold; border: 1px solid; border-left-width: .4rem; border-radius: .3rem }
[aria-invalid] { border: 2px solid var(--wrong) }
@media (min-width: 30rem) { main { padding-top: 4rem } .choice { display: flex; gap: 1rem } }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * These headers forbid scripts, loading of other resources, and framing. form-action is not
 * restricted, because forms redirect to clients.
 */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
}

/** Makes an HTML page. The caller must escape all external values in `body`. */
export function page(
  status: number,
  title: string,
  body: string,
  more: Record<string, string> = {},
): Reply {
  const html =
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    `<title>${escapeHtml(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<main>\n${body}\n</main>\n</body>\n</html>\n`
  return { status, body: Buffer.from(html), headers: { ...headers, ...more } }
}

/**
 * The login and password fields. After a failed attempt they show the problem, keep the login, and
 * focus the password.
 */
export function signInFields(problem: string | undefined, login: string): string {
  const wrong = problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"'
  return [
    ...(problem === undefined
      ? []
      : [`<p class="wrong" role="alert" id="problem">${escapeHtml(problem)}</p>`]),
    `<label>Login<input name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${escapeHtml(login)}"${wrong}></label>`,
    `<label>Password<input name="password" type="password" autocomplete="current-password" required${wrong}${problem === undefined ? '' : ' autofocus'}></label>`,
  ].join('\n')
}

/** A page that shows why the request cannot continue. */
export const problemPage = (status: number, text: string): Reply => ({
  ...page(
    status,
    'This request failed',
    `<h1>This request failed</h1>\n<p>${escapeHtml(text)}.</p>\n<p>You were not sent back to any application. You can close this page.</p>`,
  ),
  reason: text,
})

/**
 * Escapes a string for HTML, and removes control and formatting characters, which could hide or
 * reorder others.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
