import type { Reply } from '../http/reply.ts'
import { escapeHtml, page, signInFields } from '../oauth/page.ts'

interface PageOptions {
  headers?: Record<string, string>
  /** The problem with the previous attempt. */
  problem?: string
  /** The login of the previous attempt. */
  login?: string | undefined
}

/** The sign-in page. Shows the host that redirected the user, the scopes, and the redirect URI. */
export function signInPage(
  id: string,
  { redirectUri, scope }: { redirectUri: string; scope: string },
  { headers = {}, problem, login = '' }: PageOptions = {},
): Reply {
  return page(
    problem === undefined ? 200 : 403,
    'Sign in',
    [
      '<h1>Sign in</h1>',
      `<p><b>${escapeHtml(new URL(redirectUri).host)}</b> wants to know who you are${scope === '' ? '' : `, and asks for: ${escapeHtml(scope.split(' ').join(', '))}`}.</p>`,
      `<p><small>Then you will return to: ${escapeHtml(redirectUri)}</small></p>`,
      '<form method="post" action="/consent">',
      `<input type="hidden" name="request" value="${escapeHtml(id)}">`,
      signInFields(problem, login),
      '<div class="choice">',
      '<button class="go" name="decision" value="approve">Sign in</button>',
      '<button name="decision" value="deny" formnovalidate>Cancel</button>',
      '</div>',
      '</form>',
    ].join('\n'),
    headers,
  )
}
