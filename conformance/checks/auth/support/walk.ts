import type {
  ConsentProgram,
  HttpExchange,
  HttpRequest,
  FakeIdentityProvider,
  IdentityOverride,
  ShownPage,
} from '../../../wire/index.ts'
import { Browser } from '../../../wire/oauth/browser.ts'
import { decide } from '../../../wire/oauth/consent.ts'
import type { Decision } from '../../../wire/oauth/button-meaning.ts'
import type { AuthTarget } from '../../tools/authentication.ts'
import type { Ask } from './ask.ts'

/** The way of a user from a request for authorization to wherever it ended. */
export interface Walk {
  readonly ask: Ask
  /** The address to which the browser was sent back, which is one of the redirect URIs; undefined where it was not. Nobody asked there. */
  readonly back: URL | undefined
  /** Every answer on the way, the first one of the authorization endpoint. Empty where a program went. */
  readonly exchanges: readonly HttpExchange[]
  /** The pages that were shown, in their order. */
  readonly pages: readonly ShownPage[]
  /** The browser that went, with its cookies; undefined where a program did. */
  readonly browser: Browser | undefined
  /** Where it ended, in one line. */
  readonly summary: string
}

/** How a walk differs from the usual one. */
export interface Manner {
  /** Whether the browser leaves at some other address too, for whoever looks at what passes there. */
  until?: ((url: URL) => boolean) | undefined
  /** What the identity provider behind a proxy plays for this browser. */
  play?: IdentityOverride | undefined
  /** What is written into fields, in place of what the target file says. */
  form?: Readonly<Record<string, string>> | undefined
}

interface Options extends Manner {
  ask: Ask
  decision: Decision
  auth: AuthTarget
  identity: FakeIdentityProvider | undefined
  send(request: HttpRequest): Promise<HttpExchange>
}

/** The code with which the browser came back; undefined where there is none. */
export const codeIn = ({ back }: Pick<Walk, 'back'>): string | undefined =>
  back?.searchParams.get('code') ?? undefined

/** What came back, in the query or in the fragment. */
export function told({ back }: Pick<Walk, 'back'>): Readonly<Record<string, string>> {
  return back === undefined
    ? {}
    : Object.fromEntries([...back.searchParams, ...new URLSearchParams(back.hash.slice(1))])
}

/** Goes, in a browser of its own, to where a request for authorization leads, and decides on whatever pages are shown. */
export async function walkOf({
  ask,
  decision,
  auth: { form: usual, approve, deny },
  identity,
  send,
  until = () => false,
  play,
  form = usual,
}: Options): Promise<Walk> {
  const returns = [
    ...new URL(ask.request.url).searchParams.getAll('redirect_uri'),
    ask.redirectUri,
    ask.client.redirectUri,
  ]
  const headers =
    play === undefined
      ? undefined
      : (url: URL) => (identity?.owns(url) === true ? play.headers : {})
  const browser = new Browser({
    send,
    isDestination: (url) => returns.some((uri) => leadsTo(url, uri)) || until(url),
    headers,
  })
  const { destination, exchanges, pages, problem } = await decide(
    browser,
    await browser.open(ask.request.url, { operation: 'authorize' }),
    decision,
    { form, approve, deny },
  )
  return {
    ask,
    back: destination,
    exchanges,
    pages,
    browser,
    summary: summaryOf(destination, problem, exchanges.at(-1)),
  }
}

/** The same by a program: of what it saw on its way nothing is known. One at a time, since the suite listens where it returns. */
export async function sentBy(
  program: ConsentProgram,
  ask: Ask,
  decision: Decision,
  signal: AbortSignal,
): Promise<Walk> {
  const { destination, problem } = await program.decide(
    ask.request.url,
    decision,
    ask.redirectUri,
    signal,
  )
  return {
    ask,
    back: destination,
    exchanges: [],
    pages: [],
    browser: undefined,
    summary: summaryOf(destination, problem, undefined),
  }
}

/** Whether an address is a redirect URI, but for what is added to it. */
export function leadsTo(url: URL, uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, host, pathname } = new URL(uri)
  return url.protocol === protocol && url.host === host && url.pathname === pathname
}

/** What came back is shown but for what would open something. */
export function summaryOf(
  back: URL | undefined,
  stuck: string | undefined,
  last: HttpExchange | undefined,
): string {
  if (back === undefined)
    return [
      `nobody was sent back: ${stuck ?? 'nothing happened'}`,
      ...(last === undefined ? [] : [last.summary]),
    ].join('; ')
  const shown = Object.entries(told({ back })).map(([name, value]) =>
    /^(error|error_description|iss)$/.test(name) ? `${name}=${value}` : name,
  )
  return `sent back to ${back.origin}${back.pathname} with ${shown.length === 0 ? 'nothing' : shown.join(', ')}`
}
