import { jsonAnswer, textAnswer, withHeaders } from './http.ts'
import type { Answer } from './http.ts'
import type { OAuthEnv, Transaction } from './oauth-env.ts'

export type PageKind = 'welcome' | 'sign-in' | 'consent' | 'sign-in-and-consent'

const scopeTexts: Readonly<Record<string, string>> = {
  profile: 'Read your profile',
  email: 'Read your email address',
  'read:user': 'Read your profile at the identity provider',
  'user:email': 'Read your email address at the identity provider',
  offline_access: 'Stay signed in while you are away',
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The page for the present step of an authorization request. */
export function stepPage(
  env: OAuthEnv,
  transaction: Transaction,
  kind: PageKind,
  problem: string | undefined,
): Answer {
  const { on } = env
  const name = on('client-name-unescaped')
    ? transaction.client.name
    : escapeHtml(transaction.client.name)
  const asksConsent = kind === 'consent' || kind === 'sign-in-and-consent'
  const asksSignIn = kind === 'sign-in' || kind === 'sign-in-and-consent'
  const absent = on('consent-absent')
  const fields = [
    asksSignIn ? signInFields(env) : '',
    asksConsent && on('scope-checkboxes') ? scopeCheckboxes(transaction) : '',
  ]
  const buttons =
    kind === 'welcome'
      ? button(env, 'step', 'continue', 'Continue')
      : kind === 'sign-in' || absent
        ? button(env, 'decision', absent ? 'approve' : 'sign-in', 'Sign in')
        : undefined
  const body = [
    `<h1>${asksConsent && !absent ? 'Allow access?' : 'Connect a client'}</h1>`,
    problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>`,
    asksConsent && !absent
      ? permissionText(env, transaction, name)
      : `<p>Sign in to go on to <b>${name}</b>.</p>`,
    on('state-unescaped') ? `<p>Request ${transaction.state ?? ''}</p>` : '',
    buttons === undefined
      ? decisionForms(env, transaction, fields)
      : form(env, transaction, [...fields, buttons]),
  ].join('\n')
  const status = problem !== undefined && on('wrong-password-403') ? 403 : 200
  return htmlPage(env, status, 'Authorization', body)
}

function permissionText(env: OAuthEnv, transaction: Transaction, name: string): string {
  const target = new URL(transaction.redirectUri)
  const intro = `<p><b>${name}</b> (at ${escapeHtml(target.host || target.protocol)}) asks for access to this server.</p>`
  if (env.on('consent-hides-scopes')) return intro
  const shown =
    env.pattern === 'oauth-proxy' && !env.on('upstream-scopes-as-requested')
      ? new Set([...transaction.scopes, ...env.upstream.scopes])
      : new Set(transaction.scopes)
  const items = [...shown].map(
    (scope) =>
      `<li>${escapeHtml(scopeTexts[scope] ?? scope)} (<code>${escapeHtml(scope)}</code>)</li>`,
  )
  return `${intro}\n<p>Permissions:</p>\n<ul>${items.join('')}</ul>`
}

function signInFields(env: OAuthEnv): string {
  const [user, password] = env.on('other-field-names')
    ? ['email', 'passphrase']
    : ['username', 'password']
  return [
    `<p><label>User <input type="text" name="${user}" autocomplete="username"></label></p>`,
    `<p><label>Password <input type="password" name="${password}" autocomplete="current-password"></label></p>`,
  ].join('\n')
}

function scopeCheckboxes(transaction: Transaction): string {
  return transaction.scopes
    .map((scope) => {
      const value = escapeHtml(scope)
      return `<p><label><input type="checkbox" name="granted" value="${value}" checked> ${value}</label></p>`
    })
    .join('\n')
}

function decisionForms(env: OAuthEnv, transaction: Transaction, fields: readonly string[]): string {
  const { on } = env
  const other = on('other-labels')
  const allow = button(env, 'decision', 'approve', other ? 'Yes, grant access' : 'Allow')
  const deny = button(env, 'decision', 'deny', other ? 'No, cancel' : 'Deny')
  if (on('deny-link')) {
    const address = `/consent?transaction=${encodeURIComponent(transaction.id)}&amp;decision=deny`
    return `${form(env, transaction, [...fields, allow])}\n<p><a href="${address}">Deny</a></p>`
  }
  if (on('separate-forms')) {
    return `${form(env, transaction, [...fields, allow])}\n${form(env, transaction, [deny])}`
  }
  return form(env, transaction, [...fields, ...(on('deny-first') ? [deny, allow] : [allow, deny])])
}

function button(env: OAuthEnv, name: string, value: string, label: string): string {
  if (env.on('input-buttons')) {
    // The label of an input element is its value, so the decision is in the name.
    return `<input type="submit" name="${name}-${value}" value="${label}">`
  }
  return `<button type="submit" name="${name}" value="${value}">${label}</button>`
}

function form(env: OAuthEnv, transaction: Transaction, content: readonly string[]): string {
  const action = env.on('form-posts-to-itself') ? '' : ' action="/consent"'
  return [
    `<form method="post"${action}>`,
    `<input type="hidden" name="transaction" value="${escapeHtml(transaction.id)}">`,
    ...content.filter((part) => part !== ''),
    '</form>',
  ].join('\n')
}

/** A page that tells of an error which cannot be told to the client. */
export function errorPage(env: OAuthEnv, status: number, error: string, text: string): Answer {
  if (env.on('json-error-page')) {
    return withHeaders(jsonAnswer(status, { error, error_description: text }), {
      'Cache-Control': 'no-store',
    })
  }
  return htmlPage(env, status, 'Error', `<h1>Error</h1>\n<p>${escapeHtml(text)}</p>`)
}

export function htmlPage(env: OAuthEnv, status: number, title: string, body: string): Answer {
  const { on } = env
  let html = [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>`,
    `<body>\n${body}\n</body></html>`,
  ].join('\n')
  if (on('old-style-html')) html = oldStyle(html)
  const framing: Record<string, string> = on('framing-allowed') ? {} : { 'X-Frame-Options': 'DENY' }
  if (!on('framing-allowed') && !on('frame-header-only')) {
    framing['Content-Security-Policy'] = "default-src 'none'; frame-ancestors 'none'"
  }
  return withHeaders(textAnswer(status, html), {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    ...framing,
  })
}

/** The same page with upper-case names and, where the value allows it, no quotes. */
function oldStyle(html: string): string {
  return html.replace(
    /<(\/?)([a-z][a-z0-9]*)([^>]*)>/g,
    (_all, slash: string, name: string, rest: string) => {
      const attributes = rest.replace(
        /([a-z-]+)="([^"]*)"/g,
        (_pair, key: string, value: string) =>
          /^[\w./:-]+$/.test(value)
            ? `${key.toUpperCase()}=${value}`
            : `${key.toUpperCase()}="${value}"`,
      )
      return `<${slash}${name.toUpperCase()}${attributes}>`
    },
  )
}
