// Scope and resource choices, shared by the authorization and the token endpoint.
import { SCOPES } from './app.mjs'

const VALID_SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/
export const splitScope = (text) => [...new Set((text ?? '').split(' ').filter(Boolean))]

/** The scope of a new authorization: what was asked for, or the default, within the client's registration. */
export function chooseScope(ctx, client, requested) {
  const allowed = ctx.on('scope-beyond-registration-granted') ? SCOPES : splitScope(client.scope)
  if (requested === undefined)
    return {
      value: ctx.on('default-scope-read-only')
        ? allowed.filter((one) => one === 'notes:read')
        : allowed,
    }
  if (!VALID_SCOPE.test(requested)) return { error: 'the scope is malformed' }
  let wanted = splitScope(requested)
  const outside = wanted.filter((one) => !allowed.includes(one))
  if (outside.length) {
    wanted = wanted.filter((one) => allowed.includes(one))
    // With nothing left there is nothing to grant, also for a server that drops unknown values.
    if (!ctx.on('unknown-scope-dropped') || !wanted.length)
      return { error: 'the scope has values that this client cannot have' }
  }
  if (
    ctx.on('scope-order-matters') &&
    wanted.join(' ') !== allowed.filter((one) => wanted.includes(one)).join(' ')
  )
    return { error: 'the scope is unknown' }
  return { value: ctx.on('scope-always-full') ? allowed : wanted }
}

function sameResource(ctx, given) {
  if (given === ctx.mcpUrl) return true
  if (ctx.on('resource-case-sensitive')) return false
  if (!URL.canParse(given)) return false
  const url = new URL(given) // brings scheme and host to lower case
  if (url.href === ctx.mcpUrl) return true
  if (ctx.on('resource-trailing-slash-accepted') && url.href === `${ctx.mcpUrl}/`) return true
  if (ctx.on('resource-prefix-accepted') && url.href.startsWith(ctx.mcpUrl) && !given.includes('#'))
    return true
  if (ctx.on('resource-query-ignored') && url.href.split('?')[0] === ctx.mcpUrl) return true
  return ctx.on('resource-origin-accepted') && url.href === `${ctx.origin}/` && !given.includes('#')
}

/** RFC 8707: each resource must be this server; without one the token is for this server. */
export function chooseResource(
  ctx,
  given,
  { unchecked = ctx.on('resource-unchecked-at-authorize') } = {},
) {
  if (!given.length)
    return ctx.on('resource-required') ? { error: 'resource is missing' } : { value: ctx.mcpUrl }
  const list = ctx.on('resource-only-first-checked') ? given.slice(0, 1) : given
  if (!unchecked && !list.every((one) => sameResource(ctx, one)))
    return { error: 'the resource is unknown here' }
  return { value: ctx.mcpUrl }
}
