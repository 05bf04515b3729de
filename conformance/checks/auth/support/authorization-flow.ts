import type {
  ConsentProgram,
  HttpExchange,
  HttpRequest,
  FakeIdentityProvider,
  IdentityOverride,
  ShownPage,
} from '../../../wire/index.ts'
import { NotCovered, type Gate } from '../../../engine/index.ts'
import { Browser, type Visit } from '../../../wire/oauth/browser.ts'
import { decide, type ConsentResult } from '../../../wire/oauth/consent.ts'
import type { Decision } from '../../../wire/oauth/button-meaning.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { ToolsNeed } from '../../tools/target.ts'
import type { FlowRequest } from './flow-request.ts'

/** The flow of a user, from the authorization request to the redirect or a problem. */
export interface AuthorizationFlow {
  readonly authorization: FlowRequest
  /**
   * The redirect URI to which the browser was redirected, which it does not request. Undefined if
   * there was no such redirect.
   */
  readonly destination: URL | undefined
  /**
   * All exchanges of the browser, beginning with the authorization request. Empty if the flow used
   * a consent program.
   */
  readonly exchanges: readonly HttpExchange[]
  /** The pages that were shown, in order. */
  readonly pages: readonly ShownPage[]
  /** The browser with its cookies; undefined if the flow used a consent program. */
  readonly browser: Browser | undefined
  /** The result in one line. */
  readonly summary: string
}

/** How a flow differs from the default flow. */
export interface FlowOptions {
  /** Whether the browser also stops at this URL. */
  isDestination?: ((url: URL) => boolean) | undefined
  /** The behaviour of the fake identity provider for this browser. */
  identityOverride?: IdentityOverride | undefined
  /** Values of form fields that replace those of the target file. */
  form?: Readonly<Record<string, string>> | undefined
  /** The browser of an earlier flow, whose cookies the new browser has. */
  earlierBrowser?: Browser | undefined
}

interface Options extends FlowOptions {
  authorization: FlowRequest
  decision: Decision
  auth: AuthTarget
  identity: FakeIdentityProvider | undefined
  /** Limits how many users sign in at the same time. */
  signIns: Gate
  send(request: HttpRequest): Promise<HttpExchange>
}

/** The authorization code in the redirect; undefined if there is none. */
export const codeIn = ({
  destination,
}: Pick<AuthorizationFlow, 'destination'>): string | undefined =>
  destination?.searchParams.get('code') ?? undefined

/** The parameters of the redirect, in its query and in its fragment. */
export function returnedParameters({
  destination,
}: Pick<AuthorizationFlow, 'destination'>): Readonly<Record<string, string>> {
  return destination === undefined
    ? {}
    : Object.fromEntries([
        ...destination.searchParams,
        ...new URLSearchParams(destination.hash.slice(1)),
      ])
}

/** Opens an authorization request in a new browser, and approves or denies on every page. */
export async function runAuthorizationFlow({
  authorization,
  decision,
  auth: { form: configuredForm, approve, deny },
  identity,
  signIns,
  send,
  isDestination = () => false,
  identityOverride,
  form = configuredForm,
  earlierBrowser,
}: Options): Promise<AuthorizationFlow> {
  const redirectUris = [
    ...new URL(authorization.httpRequest.url).searchParams.getAll('redirect_uri'),
    authorization.redirectUri,
    authorization.client.redirectUri,
  ]
  const headers =
    identityOverride === undefined
      ? undefined
      : (url: URL) => (identity?.owns(url) === true ? identityOverride.headers : {})
  const browser = new Browser({
    send,
    isDestination: (url) =>
      redirectUris.some((uri) => matchesRedirectUri(url, uri)) || isDestination(url),
    headers,
    cookies: earlierBrowser?.cookies,
  })
  const { destination, exchanges, pages, problem } = await decideSafely(
    browser,
    await browser.open(authorization.httpRequest.url, { operation: 'authorize' }),
    decision,
    { authorization, auth: { form, approve, deny }, identity, signIns },
  )
  return {
    authorization,
    destination,
    exchanges,
    pages,
    browser,
    summary: describeEnd(destination, problem, exchanges.at(-1)),
  }
}

/**
 * Continues from a page with the values of the target file. The values may be passwords, so enters
 * them only on pages of the authorization server and of the fake identity provider. Throws
 * `NotCovered` if a page of another origin asks for them.
 */
export async function decideSafely(
  browser: Browser,
  start: Visit,
  decision: Decision,
  {
    authorization,
    auth: { form, approve, deny },
    identity,
    signIns,
  }: Pick<Options, 'authorization' | 'identity' | 'signIns'> & {
    auth: Pick<AuthTarget, 'form' | 'approve' | 'deny'>
  },
): Promise<ConsentResult> {
  const own = new URL(authorization.httpRequest.url).origin
  const result = await decide(browser, start, decision, {
    form,
    approve,
    deny,
    isTrusted: (origin) =>
      origin === own || (URL.canParse(origin) && identity?.owns(new URL(origin)) === true),
    enterSignIn: () => signIns.enter(0),
  })
  if (result.untrusted !== undefined)
    throw new NotCovered<ToolsNeed>(
      `${result.problem!}; a program can act as the user there (tools.auth.consent: command)`,
      ['tools.auth.command'],
    )
  return result
}

/**
 * Runs the flow with the consent program, which reports only the redirect or a problem. Programs
 * run one at a time, because the suite listens at one redirect URI.
 */
export async function runConsentProgram(
  program: ConsentProgram,
  authorization: FlowRequest,
  decision: Decision,
  signal: AbortSignal,
): Promise<AuthorizationFlow> {
  const { destination, problem } = await program.decide(
    authorization.httpRequest.url,
    decision,
    authorization.redirectUri,
    signal,
  )
  return {
    authorization,
    destination,
    exchanges: [],
    pages: [],
    browser: undefined,
    summary: describeEnd(destination, problem, undefined),
  }
}

/** Whether a URL equals the redirect URI `uri`. Ignores the query and the fragment. */
export function matchesRedirectUri(url: URL, uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, host, pathname } = new URL(uri)
  return url.protocol === protocol && url.host === host && url.pathname === pathname
}

/** Describes the end of a flow, without secrets. */
export function describeEnd(
  destination: URL | undefined,
  problem: string | undefined,
  last: HttpExchange | undefined,
): string {
  if (destination === undefined)
    return [
      `no redirect to the client: ${problem ?? 'nothing happened'}`,
      ...(last === undefined ? [] : [last.summary]),
    ].join('; ')
  const parameters = Object.entries(returnedParameters({ destination })).map(([name, value]) =>
    /^(error|error_description|iss)$/.test(name) ? `${name}=${value}` : name,
  )
  const shown = parameters.length === 0 ? 'no parameters' : parameters.join(', ')
  return `redirected to ${destination.origin}${destination.pathname} with ${shown}`
}
