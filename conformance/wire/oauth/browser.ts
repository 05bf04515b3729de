import type { HttpExchange } from '../exchange.ts'
import type { HttpRequest } from '../http-request.ts'
import { CookieJar } from './cookies.ts'
import type { PageButton, PageForm } from './page-form.ts'
import { readPage, type HtmlPage } from './page.ts'
import { newFormRequest, type FormRequest, type FieldValues } from './form-submission.ts'

export interface BrowserOptions {
  /** Sends one request and follows no redirect. */
  send(request: HttpRequest): Promise<HttpExchange>
  /** Whether the browser leaves for good here: whoever it is sent to is not asked. */
  isDestination(url: URL): boolean
  /** More headers for some addresses, such as those by which a played server knows whose turn it is. */
  headers?: ((url: URL) => Readonly<Record<string, string>>) | undefined
  /** Milliseconds since the epoch, by which cookies end; the machine's where it is not given. */
  now?: (() => number) | undefined
}

/** A page and the answer that it came in. */
export interface ShownPage extends HtmlPage {
  exchange: HttpExchange
}

/** Where one step of a browser led: to a page, to where it leaves for good, or to neither. */
export interface Visit {
  /** Every request of the step, redirects and all. */
  exchanges: readonly HttpExchange[]
  page?: ShownPage
  /** Where it was sent to; nobody asked there. */
  destination?: URL
  /** Why it came to neither, in words. */
  problem?: string
}

/** How a form is sent. */
export interface Submission {
  button?: PageButton | undefined
  values?: FieldValues | undefined
  /** The page that it stands on: where the request says it comes from. The form's own address where it is not given. */
  page?: Pick<HtmlPage, 'url'> | undefined
  operation?: string | undefined
}

interface Step extends FormRequest {
  operation: string
  from?: string | undefined
}

const maxRedirects = 20
/** Seconds after which a page that leads on by itself is not waited for. */
const maxRefreshSeconds = 15

const commonHeaders = {
  'User-Agent': 'Mozilla/5.0 (compatible; Touchstone)',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en',
}

/** A browser that runs no scripts. It has cookies of its own, follows redirects, and leaves where it is told to. */
export class Browser {
  readonly cookies: CookieJar
  private readonly options: BrowserOptions

  constructor(options: BrowserOptions) {
    this.options = options
    this.cookies = new CookieJar(options.now ?? Date.now)
  }

  /** Goes to an address. `from` is the page on which a link to it stood. */
  open(
    url: string,
    {
      operation = 'openPage',
      from,
    }: { operation?: string | undefined; from?: string | undefined } = {},
  ): Promise<Visit> {
    return this.navigate({ operation, method: 'GET', url, from })
  }

  /** Fills a form in and sends it. */
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
      if (!URL.canParse(step.url)) return { exchanges, problem: `«${step.url}» is no address` }
      const url = new URL(step.url)
      if (this.options.isDestination(url)) return { exchanges, destination: url }
      if (!/^https?:$/.test(url.protocol))
        return {
          exchanges,
          problem: `it was sent to «${truncate(step.url)}», which is no web page`,
        }
      const exchange = await this.options.send(this.requestOf(step, url))
      exchanges.push(exchange)
      this.cookies.store(url.href, exchange.headersOf('set-cookie'))
      if (exchange.status === undefined)
        return { exchanges, problem: `no answer: ${exchange.failure ?? 'nothing came'}` }
      const next = nextOf(step, url, exchange)
      if (next !== undefined) {
        step = next
        continue
      }
      const page = pageOf(exchange, url.href)
      if (page === undefined) return { exchanges, problem: `${exchange.status}, and no page` }
      const { refresh } = page
      if (refresh === undefined || refresh.url === url.href || refresh.seconds > maxRefreshSeconds)
        return { exchanges, page }
      step = { operation: 'followRefresh', method: 'GET', url: refresh.url, from: url.href }
    }
    return { exchanges, problem: `it was sent on more than ${maxRedirects} times` }
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
        // To others only the origin is told, as browsers do where nobody says otherwise.
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

/** Where an answer sends the browser: 307 and 308 with what it sent, the others with a GET. */
function nextOf(step: Step, url: URL, exchange: HttpExchange): Step | undefined {
  const { status = 0 } = exchange
  const location = exchange.header('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const target = URL.canParse(location, url.href) ? new URL(location, url.href).href : location
  const keeps = status === 307 || status === 308
  return {
    operation: 'followRedirect',
    method: keeps ? step.method : 'GET',
    url: target,
    from: step.from,
    ...(keeps && step.body !== undefined ? { body: step.body } : {}),
  }
}

/** What an answer shows, where it is HTML. */
export function pageOf(
  exchange: HttpExchange,
  url: string = exchange.request.url,
): ShownPage | undefined {
  if (exchange.status === undefined) return undefined
  const type = exchange.header('content-type') ?? ''
  const html =
    type === ''
      ? /^\s*</.test(exchange.body.subarray(0, 200).toString('latin1'))
      : /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type)
  return html
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
