// Redirection URIs: which may be registered, which match a registration, and how an answer is added.

const parseUri = (text) => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
const LOOPBACK_IPS = ['127.0.0.1', '[::1]']

/** MCP, "Communication Security": redirection URIs are HTTPS or on the local machine; OAuth 2.1: no fragment. */
export function mayBeRegistered(ctx, text) {
  if (typeof text !== 'string' || /[^\x21-\x7e]/.test(text)) return false
  const uri = parseUri(text)
  if (!uri) return false
  if (text.includes('#') && !ctx.on('register-fragment-accepted')) return false
  if (uri.protocol === 'https:') return true
  if (uri.protocol === 'javascript:' && ctx.on('register-javascript-uri-accepted')) return true
  if (uri.protocol !== 'http:') return false
  return (
    [...LOOPBACK_IPS, 'localhost'].includes(uri.hostname) || ctx.on('register-remote-http-accepted')
  )
}

/** Loopback URIs match with any port (OAuth 2.1, 8.4.2); everything else must be the same string. */
function sameButForPort(ctx, registered, given) {
  const a = parseUri(registered)
  const b = parseUri(given)
  if (!a || !b || ctx.on('loopback-port-must-match')) return false
  const free = ['127.0.0.1']
  if (!ctx.on('loopback-ipv6-port-must-match')) free.push('[::1]')
  if (!ctx.on('localhost-port-must-match')) free.push('localhost')
  const mayVary = a.protocol === 'http:' && free.includes(a.hostname)
  if (!mayVary && !(ctx.on('any-host-port-may-vary') && a.protocol === 'https:')) return false
  // Only the port is taken out; the remaining text is compared as it was written.
  const withoutPort = (text) =>
    text.replace(/^([a-z]+:\/\/(?:\[[0-9a-f:]+\]|[^/:?#@\\]+))(?::\d+)?(?=[/?#]|$)/i, '$1')
  return withoutPort(registered) === withoutPort(given)
}

function matches(ctx, registered, given) {
  if (registered === given) return true
  if (ctx.on('redirect-uri-prefix-match') && given.startsWith(registered)) return true
  if (ctx.on('redirect-uri-query-ignored') && given.split('?')[0] === registered.split('?')[0])
    return true
  if (ctx.on('redirect-uri-case-ignored') && given.toLowerCase() === registered.toLowerCase())
    return true
  if (
    ctx.on('redirect-uri-trailing-slash-ignored') &&
    given.replace(/\/$/, '') === registered.replace(/\/$/, '')
  )
    return true
  return sameButForPort(ctx, registered, given)
}

/** The URI to use for this request, or undefined when it cannot be trusted. */
export function chooseRedirect(ctx, client, given) {
  if (given === undefined) {
    if (client.redirect_uris.length === 1 || ctx.on('redirect-uri-first-when-omitted'))
      return client.redirect_uris[0]
    return undefined
  }
  const lists = ctx.on('redirect-uri-of-any-client')
    ? ctx.kv.list('client:').map((one) => one.redirect_uris)
    : [client.redirect_uris]
  return lists.flat().some((registered) => matches(ctx, registered, given)) ? given : undefined
}

/** Adds answer parameters and keeps a query that the URI already has. */
export function answerUri(ctx, redirectUri, params) {
  const query = new URLSearchParams(
    Object.entries(params).filter(([, value]) => value !== undefined),
  ).toString()
  if (ctx.on('answer-in-fragment')) return `${redirectUri}#${query}`
  if (ctx.on('redirect-uri-query-lost')) return `${redirectUri.split('?')[0]}?${query}`
  if (!redirectUri.includes('?') || ctx.on('redirect-second-question-mark'))
    return `${redirectUri}?${query}`
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : '&'}${query}`
}
