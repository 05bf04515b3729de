import type { Reply } from '../http/reply.ts'
import { escaped, page } from '../oauth/page.ts'

/** Where users sign in: whoever sends them here, for what, and where they return. */
export function signInPage(id: string, { redirectUri, scope }: { redirectUri: string; scope: string }, headers: Record<string, string>, problem?: string): Reply {
  return page(problem === undefined ? 200 : 403, 'Sign in', [
    '<h1>Sign in</h1>',
    `<p><b>${escaped(new URL(redirectUri).host)}</b> wants to know who you are${scope === '' ? '' : `, and asks for: ${escaped(scope)}`}.</p>`,
    ...(problem === undefined ? [] : [`<p class="wrong" role="alert">${escaped(problem)}</p>`]),
    '<form method="post" action="/consent">',
    `<input type="hidden" name="request" value="${escaped(id)}">`,
    '<label>Login<input name="login" autocomplete="username" autocapitalize="none" required></label>',
    '<label>Password<input name="password" type="password" autocomplete="current-password" required></label>',
    '<div class="choice">',
    '<button class="go" name="decision" value="approve">Sign in</button>',
    '<button name="decision" value="deny" formnovalidate>Cancel</button>',
    '</div>',
    '</form>',
  ].join('\n'), headers)
}
