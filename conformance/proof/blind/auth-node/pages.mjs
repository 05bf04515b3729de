// The two plain HTML forms: sign-in and consent.
import { escapeHtml, sendPage } from './http.mjs'

const PERMISSIONS = {
  'notes:read': 'Read your notes',
  'notes:write': 'Add notes in your name',
}

const hidden = (name, value) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
const action = (ctx, path) => (ctx.on('form-action-absolute') ? `${ctx.origin}${path}` : path)
const button = (ctx, name, value, label) =>
  ctx.on('form-input-buttons')
    ? `<input type="submit" name="${name}" value="${value}">`
    : `<button type="submit" name="${name}" value="${value}">${label}</button>`

const credentials =
  '<p><label>User name <input type="text" name="username" autocomplete="username" required></label></p>' +
  '<p><label>Password <input type="password" name="password" autocomplete="current-password" required></label></p>'

export function signInPage(ctx, res, tx, { message = '', headers = {} } = {}) {
  if (ctx.on('sign-in-and-consent-one-form'))
    return consentPage(ctx, res, tx, { message, headers, withCredentials: true })
  return sendPage(
    ctx,
    res,
    200,
    'Sign in',
    `${message && `<p role="alert">${escapeHtml(message)}</p>`}` +
      `<form method="post" action="${action(ctx, '/login')}">${hidden('tx', tx.id)}${credentials}` +
      '<p><button type="submit">Sign in</button></p></form>',
    headers,
  )
}

export function consentPage(
  ctx,
  res,
  tx,
  { message = '', headers = {}, withCredentials = false } = {},
) {
  let client = ctx.kv.get(`client:${tx.clientId}`)
  if (ctx.on('consent-names-latest-client')) client = ctx.kv.list('client:').at(-1)
  const plain = client.client_name ?? client.client_id
  const name = ctx.on('consent-name-unescaped') ? plain : escapeHtml(plain)
  const scopes = ctx.on('consent-lists-all-scopes') ? Object.keys(PERMISSIONS) : tx.scope
  const permissions = scopes
    .map(
      (scope) =>
        `<li>${escapeHtml(PERMISSIONS[scope] ?? scope)} (<code>${escapeHtml(scope)}</code>)</li>`,
    )
    .join('')
  const upstream =
    ctx.pattern === 'oauth-proxy' && ctx.upstream.scopes.length
      ? `<p>To sign you in, this server asks your identity provider for: <code>${escapeHtml(ctx.upstream.scopes.join(' '))}</code></p>`
      : ''
  const list = ctx.on('consent-without-permissions')
    ? ''
    : `<p>It asks for these permissions:</p><ul>${permissions}</ul>${upstream}`
  const target = `<p>You will be sent back to <code>${escapeHtml(tx.redirectUri)}</code>.</p>`
  return sendPage(
    ctx,
    res,
    200,
    'Allow access?',
    `${message && `<p role="alert">${escapeHtml(message)}</p>`}` +
      `<p>The application <strong>${name}</strong> wants to use Notes in your name.</p>${list}${target}` +
      `<form method="post" action="${action(ctx, '/consent')}">${hidden('tx', tx.id)}${withCredentials ? credentials : ''}` +
      `<p>${button(ctx, 'decision', 'allow', 'Allow')} ${button(ctx, 'decision', 'deny', 'Deny')}</p></form>`,
    headers,
  )
}

export const problemPage = (ctx, res, status, text, headers) =>
  sendPage(ctx, res, status, 'Request refused', `<p>${escapeHtml(text)}</p>`, headers)
