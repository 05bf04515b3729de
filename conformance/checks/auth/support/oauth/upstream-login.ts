import { Blocked, type Expectation, NotCovered } from '../../../../engine/index.ts'
import type { IdentityAuthorization, IdentityBehavior } from '../../../../wire/index.ts'
import { Browser } from '../../../../wire/oauth/browser.ts'
import type { FlowRequest, Changes } from '../flow-request.ts'
import type { Grant, Tokens } from '../grant.ts'
import {
  codeIn,
  matchesRedirectUri,
  describeEnd,
  returnedParameters,
  type AuthorizationFlow,
  decideSafely,
} from '../authorization-flow.ts'
import type { AuthWorld } from '../world.ts'
import type { ToolsNeed } from '../../../tools/target.ts'

/** The end of a browser's redirects. */
export interface FlowEnd {
  /**
   * The client's redirect URI, if the browser was redirected to it. The browser does not request
   * this URL.
   */
  readonly destination: URL | undefined
  /** The result in one line. */
  readonly summary: string
}

/**
 * A flow that started at /authorize, and the request that the identity provider received, if any.
 */
export interface UpstreamRedirect {
  readonly authorization: FlowRequest
  /**
   * The flow up to the redirect by the identity provider. The browser does not request the URL of
   * this redirect, `destination`.
   */
  readonly flow: AuthorizationFlow
  readonly browser: Browser
  /** The authorization request that the identity provider received; undefined if there was none. */
  readonly upstreamRequest: IdentityAuthorization | undefined
  /** Continues at a URL, in the same browser or in another one. */
  continueAt(url: URL, browser?: Browser): Promise<FlowEnd>
  /**
   * Repeats the request to the identity provider, and returns the URL of the new redirect.
   * Undefined if there was no such request.
   */
  repeatUpstreamRequest(): Promise<URL | undefined>
}

/** A user whom the server has redirected to the identity provider, and who has not returned yet. */
export interface UpstreamLogin extends UpstreamRedirect {
  readonly upstreamRequest: IdentityAuthorization
  /** The URL to which the identity provider redirects the browser. */
  readonly callback: URL
}

/** A user who has returned from the identity provider, and the client's tokens. */
export interface UpstreamTokens {
  readonly login: UpstreamLogin
  readonly tokens: Tokens
}

/** How a flow differs from the default flow. */
interface UpstreamOptions {
  /** How the identity provider behaves. */
  behavior?: IdentityBehavior
  /** Changed parameters of the authorization request. */
  changes?: Changes
  /** The browser of an earlier flow, whose cookies the new browser has. */
  earlierBrowser?: Browser
}

export async function startUpstreamFlow(
  world: AuthWorld,
  { behavior = {}, changes = {}, earlierBrowser }: UpstreamOptions = {},
): Promise<UpstreamRedirect> {
  const identity = await world.getIdentityProvider()
  const { signIns } = await world.harness()
  const override = identity.override(behavior)
  const authorization = await world.newAuthorizationRequest(changes)
  let stopsAtReturn = true
  const isUpstreamReturn = (url: URL) =>
    stopsAtReturn &&
    override.authorizations.some(
      ({ redirectUri }) => redirectUri !== undefined && matchesRedirectUri(url, redirectUri),
    )
  const flow = await world.runFlow(authorization, 'approve', {
    identityOverride: override,
    isDestination: isUpstreamReturn,
    earlierBrowser,
  })
  const { browser: ownBrowser, exchanges: before } = flow
  if (ownBrowser === undefined)
    throw new NotCovered<ToolsNeed>(
      'the consent program, not the suite, opens the identity provider',
      ['tools.auth.consent'],
    )
  return {
    authorization,
    flow,
    browser: ownBrowser,
    upstreamRequest: override.authorizations.at(-1),
    async continueAt(url, browser = ownBrowser) {
      stopsAtReturn = false
      // A server may ask for consent after the user has returned from the identity provider.
      const { destination, problem, exchanges } = await decideSafely(
        browser,
        await browser.open(url.href, { operation: 'callback' }),
        'approve',
        { authorization, auth: world.auth, identity, signIns },
      )
      return { destination, summary: describeEnd(destination, problem, exchanges.at(-1)) }
    },
    async repeatUpstreamRequest() {
      const upstreamExchange = before.findLast(({ request: { url } }) =>
        identity.owns(new URL(url)),
      )
      stopsAtReturn = true
      return upstreamExchange === undefined
        ? undefined
        : (await ownBrowser.open(upstreamExchange.request.url, { operation: 'identity provider' }))
            .destination
    },
  }
}

/**
 * Starts a flow in which the server redirects a user to the identity provider. Blocks the check if
 * the server does not do this, or if the identity provider would redirect the user to the client.
 */
export async function startUpstreamLogin(
  world: AuthWorld,
  options: UpstreamOptions = {},
): Promise<UpstreamLogin> {
  return requireUpstreamLogin(await startUpstreamFlow(world, options))
}

/** Blocks the check if a flow has not led to a login at the identity provider. */
export function requireUpstreamLogin(flowAtProvider: UpstreamRedirect): UpstreamLogin {
  const redirect = requireUpstreamRequest(flowAtProvider)
  const { authorization, flow, upstreamRequest } = redirect
  if (upstreamRequest.redirectUri === undefined || flow.destination === undefined)
    throw new Blocked('AUTH-AUTHORIZE-01', flow.summary)
  if (returnsToClient(upstreamRequest, authorization))
    throw new Blocked(
      'AUTH-PROXY-14',
      "the client's redirect URI was sent to the identity provider",
    )
  return { ...redirect, upstreamRequest, callback: flow.destination }
}

/** Blocks the check if the identity provider received no request. */
export function requireUpstreamRequest(
  redirect: UpstreamRedirect,
): UpstreamRedirect & Pick<UpstreamLogin, 'upstreamRequest'> {
  const { upstreamRequest, flow } = redirect
  if (upstreamRequest === undefined)
    throw new Blocked(
      codeIn(flow) === undefined ? 'AUTH-AUTHORIZE-01' : 'AUTH-PROXY-18',
      flow.summary,
    )
  return { ...redirect, upstreamRequest }
}

/** Whether the server asked the identity provider to redirect to the client, not to the server. */
export const returnsToClient = (
  { redirectUri }: IdentityAuthorization,
  authorization: FlowRequest,
): boolean =>
  redirectUri !== undefined &&
  URL.canParse(redirectUri) &&
  matchesRedirectUri(new URL(redirectUri), authorization.redirectUri)

/** The logins of two users at the identity provider, which all checks of a run share. */
export const upstreamLogins = (world: AuthWorld): Promise<readonly UpstreamLogin[]> =>
  world.shared('two users at the identity provider', (common) =>
    Promise.all([startUpstreamLogin(common), startUpstreamLogin(common)]),
  )

/**
 * The users of `upstreamLogins` after their return to the server, with the tokens of the client.
 * They show that the server does not refuse every callback.
 */
export const upstreamTokens = (world: AuthWorld): Promise<readonly UpstreamTokens[]> =>
  world.shared('two users back from the identity provider', async (common) =>
    Promise.all((await upstreamLogins(common)).map((login) => obtainUpstreamTokens(common, login))),
  )

/**
 * Lets a user return from the identity provider, and exchanges the code that the client receives.
 */
export async function obtainUpstreamTokens(
  world: AuthWorld,
  login: UpstreamLogin,
): Promise<UpstreamTokens> {
  return exchangeUpstreamCode(world, login, await login.continueAt(login.callback))
}

/** Exchanges the code with which the server has redirected a user to the client. */
export async function exchangeUpstreamCode(
  world: AuthWorld,
  login: UpstreamLogin,
  end: FlowEnd,
): Promise<UpstreamTokens> {
  const { authorization, flow } = login
  const code = codeIn(end)
  if (code === undefined) throw new Blocked('AUTH-AUTHORIZE-01', end.summary)
  const grant: Grant = {
    client: authorization.client,
    authorization,
    flow: { ...flow, ...end },
    code: world.knownValues.add(code, 'code'),
  }
  return {
    login,
    tokens: world.readTokens(await world.sendOrBlock(await world.newTokenRequest(grant)), grant),
  }
}

/** A browser without cookies, which continues a flow that another browser began. */
export const newOtherBrowser = (
  { send }: AuthWorld,
  { authorization }: UpstreamRedirect,
): Browser =>
  new Browser({ send, isDestination: (url) => matchesRedirectUri(url, authorization.redirectUri) })

export const returnsNoCode: Expectation<FlowEnd> = {
  name: 'returns no code',
  expected: 'no code',
  test: (end) => codeIn(end) === undefined,
}

export const returnsError: Expectation<FlowEnd> = {
  name: 'returns an error to the client',
  expected: 'a redirect to the client with an error',
  test: (end) => returnedParameters(end)['error'] !== undefined,
}
