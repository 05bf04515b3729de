import { defaultRules } from '../../../../../mocks/stateful/oauth/rules.ts'
import { fault, onReply, pathOf, replaceRules, type MakeAuthDeviation } from '../building.ts'
import type { AuthFault } from '../fault.ts'
import { membersOf, onTokenReply, omit } from './token-replies.ts'

/** Lets scripts read the authorization endpoint, in responses to some methods. */
const shareWith =
  (methods: readonly string[]): MakeAuthDeviation =>
  (hit) => ({
    intercept(request, response, next) {
      const { origin } = request.headers
      if (
        pathOf(request) !== '/authorize' ||
        origin === undefined ||
        !methods.includes(request.method ?? '')
      )
        return next()
      hit()
      response.setHeader('Access-Control-Allow-Origin', origin)
      next()
    },
  })

/** Refuses authorization requests that `isRefused` selects by a parameter. */
const refuseRequests = (name: string, isRefused: (value: string) => boolean): MakeAuthDeviation =>
  onReply((_reply, { parameters }, endpoint) =>
    endpoint === 'authorize' && isRefused(parameters?.get(name) ?? '')
      ? { status: 400, body: { error: `invalid_${name}` } }
      : undefined,
  )

/** Grants the scope that each client requested last. */
const grantLatestScope: MakeAuthDeviation = (hit) => {
  const latest = new Map<string | undefined, string>()
  return onReply((reply, { parameters }, endpoint) => {
    const client = parameters?.get('client_id')
    const requested = parameters?.get('scope')
    if (endpoint === 'authorize' && requested !== undefined) latest.set(client, requested)
    const scope = latest.get(client)
    return endpoint === 'token' &&
      reply.status === 200 &&
      parameters?.get('code') !== undefined &&
      scope !== undefined &&
      scope !== membersOf(reply)['scope']
      ? { ...reply, body: { ...membersOf(reply), scope } }
      : undefined
  })(hit)
}

/** Omits the scope from token responses if it is not the requested one. */
const hideReducedScopes: MakeAuthDeviation = (hit) => {
  const reduced = new Map<string | undefined, boolean>()
  return onReply((reply, { parameters }, endpoint) => {
    const client = parameters?.get('client_id')
    if (endpoint === 'authorize')
      reduced.set(client, parameters?.get('scope')?.includes('touchstone:') === true)
    return endpoint === 'token' && reply.status === 200 && reduced.get(client) === true
      ? { ...reply, body: omit(membersOf(reply), 'scope') }
      : undefined
  })(hit)
}

/** Accepts other resources in requests to an endpoint, and tokens for them. */
const acceptResources = (
  endpoint: 'authorize' | 'token',
  accepts: (uri: string) => boolean,
): MakeAuthDeviation =>
  replaceRules({
    oauth: {
      isResource: (uri, resources, at) =>
        (at === endpoint && accepts(uri)) || defaultRules.isResource(uri, resources, at),
      isTokenForResource: () => true,
    },
  })

/** Accepts other resources in refresh requests. */
const acceptResourceAtRefresh: MakeAuthDeviation = replaceRules((_rules, hit) => {
  let isRefresh = false
  return {
    oauth: {
      grantTypeOf(type) {
        isRefresh = type === 'refresh_token'
        return type
      },
      isResource(uri, resources, at) {
        const usual = defaultRules.isResource(uri, resources, at)
        if (!usual && isRefresh && at === 'token') hit()
        return usual || (isRefresh && at === 'token')
      },
      isTokenForResource: () => true,
    },
  }
})

/** Faults in the parameters of authorization requests. */
export const authorizationRequests: readonly AuthFault[] = [
  fault(
    'authorization-is-shared',
    'Lets scripts of all sites read the authorization endpoint.',
    ['AUTH-AUTHORIZE-22'],
    shareWith(['GET']),
  ),
  fault(
    'authorization-preflights-are-granted',
    'Grants preflight requests of all sites at the authorization endpoint.',
    ['AUTH-AUTHORIZE-22'],
    shareWith(['OPTIONS']),
  ),
  fault(
    'scopes-in-one-order',
    'Refuses scopes in another order than that of the metadata.',
    ['AUTH-AUTHORIZE-23'],
    refuseRequests('scope', (scope) => scope.startsWith('shelf:write shelf:read')),
  ),
  fault(
    'scopes-compared-as-text',
    'Refuses a list of scopes that the metadata does not contain in this form.',
    ['AUTH-AUTHORIZE-23'],
    refuseRequests('scope', (scope) => !'shelf:read shelf:write'.includes(scope)),
  ),
  fault(
    'resources-compared-as-text',
    'Refuses the URL of its resource with the scheme in upper case.',
    ['AUTH-AUTHORIZE-24'],
    replaceRules({
      oauth: {
        isResource: (uri, resources) => resources.includes(uri),
      },
    }),
  ),
  fault(
    'scope-of-the-latest-request',
    "Grants the scope of the client's latest request, not that of its code.",
    ['AUTH-TOKEN-28'],
    grantLatestScope,
  ),
  fault(
    'all-scopes-of-the-user',
    'Grants all scopes that the user has approved so far.',
    ['AUTH-TOKEN-28'],
    (hit) => {
      const approved = new Map<string | undefined, Set<string>>()
      return onReply((reply, { parameters }, endpoint) => {
        const client = parameters?.get('client_id')
        const scopes = approved.get(client) ?? new Set<string>()
        approved.set(client, scopes)
        if (endpoint === 'authorize')
          for (const one of parameters?.get('scope')?.split(' ') ?? []) scopes.add(one)
        return endpoint === 'token' && reply.status === 200 && scopes.size > 1
          ? { ...reply, body: { ...membersOf(reply), scope: [...scopes].join(' ') } }
          : undefined
      })(hit)
    },
  ),
  fault(
    'reduced-scope-is-not-returned',
    'Omits the scope if it granted fewer scopes than requested.',
    ['AUTH-TOKEN-29'],
    hideReducedScopes,
  ),
  fault(
    'scope-is-never-returned',
    'Omits the scope from all responses with tokens.',
    ['AUTH-TOKEN-29'],
    onTokenReply((reply, members) => ({ ...reply, body: omit(members, 'scope') })),
  ),
  fault(
    'any-host-as-resource',
    'Accepts the resources of other hosts in authorization requests.',
    ['AUTH-RESOURCE-10'],
    acceptResources('authorize', (uri) => uri.startsWith('https:')),
  ),
  fault(
    'resources-compared-by-prefix',
    'Accepts resources that begin like its own in authorization requests.',
    ['AUTH-RESOURCE-10'],
    acceptResources('authorize', (uri) => uri.startsWith('http:')),
  ),
  fault(
    'any-resource-in-token-requests',
    'Accepts all resources in token requests.',
    ['AUTH-RESOURCE-10'],
    acceptResources('token', () => true),
  ),
  fault(
    'any-resource-in-refreshes',
    'Accepts all resources in refresh requests.',
    ['AUTH-RESOURCE-10'],
    acceptResourceAtRefresh,
  ),
]
