import type { ConsentDescription } from '@cloudflare/workers-oauth-provider'
import { escapeHtml, page } from '../oidc-provider/pages.ts'

/**
 * The page on which users allow a client, as the package documents it. With `signsIn`, users also
 * enter their login and password.
 */
export function consentPage(
  { clientName, redirectHost, scope }: ConsentDescription,
  { handle, signsIn, problem = '' }: { handle: string; signsIn: boolean; problem?: string },
): string {
  return page(
    'Allow access',
    `
<p>${escapeHtml(clientName)} would like to use the shelf:</p>
<ul>${scope.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>
<p>You will be redirected to ${escapeHtml(redirectHost)}</p>
<p role="alert">${escapeHtml(problem)}</p>
<form method="post">
<input type="hidden" name="handle" value="${escapeHtml(handle)}">
${signsIn ? signInFields : ''}
<button name="decision" value="approve">Allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</form>`,
  )
}

const signInFields = `
<label>Login <input name="login" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>`
