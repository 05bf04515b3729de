import type { HttpExchange } from '../exchange.ts'
import type { HttpRequest } from '../http-request.ts'
import { missingResponse } from '../missing-response.ts'
import { CookieJar } from './cookies.ts'
import type { PageButton, PageForm } from './page-form.ts'
import { readPage, type HtmlPage } from './page.ts'
import { newFormRequest, type FormRequest, type FieldValues } from './form-submission.ts'

export interface BrowserOptions {
  /** Sends one request, without following redirects. */
  send(request: HttpRequest): Promise<HttpExchange>
  /** Whether a URL is the destination, at which the browser stops without requesting it. */
  isDestination(url: URL): boolean
  /**
   * Additional headers for some URLs. The fake identity provider recognizes this browser by them.
   */
  headers?: ((url: URL) => Readonly<Record<string, string>>) | undefined
  /** The cookies of an earlier visit; none by default. */
  cookies?: CookieJar | undefined
  /** The current time in milliseconds since the epoch, for cookies; the system's by default. */
  now?: (() => number) | undefined
}

/** A page, with the exchange that returned it. */
export interface ShownPage extends HtmlPage {
  exchange: HttpExchange
}

/** The result of one step: a page, the destination, or a problem. */
export interface Visit {
  /** Every request of the step, including redirects. */
  exchanges: readonly HttpExchange[]
  page?: ShownPage
  /** The destination that was reached. It was not requested. */
  destination?: URL
  /** Why neither a page nor the destination was reached. */
  problem?: string
}

/** How to submit a form. */
export interface Submission {
  button?: PageButton | undefined
  values?: FieldValues | undefined
  /**
   * The page that contains the form, for the Referer header. By default, the URL to which the form
   * is sent.
   */
  page?: Pick<HtmlPage, 'url'> | undefined
  operation?: string | undefined
}

interface Step extends FormRequest {
  operation: string
  from?: string | undefined
}

const maxRedirects = 20
/** A refresh is followed only if it comes within this many seconds. */
const maxRefreshSeconds = 15

const commonHeaders = {
  'User-Agent': 'Mozilla/5.0 (compatible; Touchstone)',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en',
}

/**
 * A browser without scripts. It has its own cookies, follows redirects, and stops at its
 * destination.
 */
export class Browser {
  readonly cookies: CookieJar
  private readonly options: BrowserOptions

  constructor(options: BrowserOptions) {
    this.options = options
    this.cookies = options.cookies ?? new CookieJar(options.now ?? Date.now)
  }

  /** Opens a URL. `from` is the page that linked to it. */
  open(
    url: string,
    {
      operation = 'openPage',
      from,
    }: { operation?: string | undefined; from?: string | undefined } = {},
  ): Promise<Visit> {
    return this.navigate({ operation, method: 'GET', url, from })
  }

  /** Fills in a form, and submits it. */
  submit(
    form: PageForm,
    { button, values = {}, page, operation = 'submitForm' }: Submission = {},
  ): Promise<Visit> {
    return this.navigate({
      operation,
      ...newFormRequest(form, button, values),
      from: page?.url ?? form.action,
    })
  }

  private async navigate(first: Step): Promise<Visit> {
    const exchanges: HttpExchange[] = []
    let step = first
    for (let count = 0; count <= maxRedirects; count += 1) {
      if (!URL.canParse(step.url)) return { exchanges, problem: `"${step.url}" is not a URL` }
      const url = new URL(step.url)
      if (this.options.isDestination(url)) return { exchanges, destination: url }
      if (!/^https?:$/.test(url.protocol))
        return {
          exchanges,
          problem: `the browser was redirected to "${truncate(step.url)}", which is not a web page`,
        }
      const exchange = await this.options.send(this.requestOf(step, url))
      exchanges.push(exchange)
      this.cookies.store(url.href, exchange.headersOf('set-cookie'))
      if (exchange.status === undefined)
        return {
          exchanges,
          problem: missingResponse(exchange.failure),
        }
      const next = nextOf(step, url, exchange)
      if (next !== undefined) {
        step = next
        continue
      }
      const page = pageOf(exchange, url.href)
      if (page === undefined) return { exchanges, problem: `${exchange.status} without a page` }
      const { refresh } = page
      if (refresh === undefined || refresh.url === url.href || refresh.seconds > maxRefreshSeconds)
        return { exchanges, page }
      step = { operation: 'followRefresh', method: 'GET', url: refresh.url, from: url.href }
    }
    return { exchanges, problem: `the browser was redirected more than ${maxRedirects} times` }
  }

  private requestOf({ operation, method, url: written, body, from }: Step, url: URL): HttpRequest {
    const cookie = this.cookies.header(url.href)
    const origin = from === undefined || !/^https?:/.test(from) ? undefined : new URL(from).origin
    return {
      operation,
      method,
      url: written,
      headers: {
        ...commonHeaders,
        ...(method === 'POST' && origin !== undefined ? { Origin: origin } : {}),
        // In a request to another origin, Referer contains only the origin, as in browsers by
        // default.
        ...(origin === undefined
          ? {}
          : {
              Referer:
                origin === url.origin ? new URL(from!).href.replace(/#.*/s, '') : `${origin}/`,
            }),
        ...(cookie === undefined ? {} : { Cookie: cookie }),
        ...this.options.headers?.(url),
      },
      ...(body === undefined ? {} : { body }),
    }
  }
}

/** The next step after a redirect: 307 and 308 repeat the request, the others use GET. */
function nextOf(step: Step, url: URL, exchange: HttpExchange): Step | undefined {
  const { status = 0 } = exchange
  const location = exchange.header('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const next = URL.canParse(location, url.href) ? new URL(location, url.href).href : location
  const keeps = status === 307 || status === 308
  return {
    operation: 'followRedirect',
    method: keeps ? step.method : 'GET',
    url: next,
    from: step.from,
    ...(keeps && step.body !== undefined ? { body: step.body } : {}),
  }
}

/** The page in a response, if it is HTML. */
export function pageOf(
  exchange: HttpExchange,
  url: string = exchange.request.url,
): ShownPage | undefined {
  if (exchange.status === undefined) return undefined
  const type = exchange.header('content-type') ?? ''
  const isHtml =
    type === ''
      ? /^\s*</.test(exchange.body.subarray(0, 200).toString('latin1'))
      : /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)
  return isHtml
    ? {
        ...readPage(textOf(exchange.body, /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1]), url),
        exchange,
      }
    : undefined
}

function textOf(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const truncate = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
