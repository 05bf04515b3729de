import type { ExchangeRecord } from '../../engine/index.ts'
import { statusText } from '../explanation.ts'
import { copyButton } from './copy-buttons.ts'
import { markup, type Markup } from './markup.ts'
import { findMember, markRequest, type Marked, type MessagePlace } from './place.ts'

/** Longest body in the page, in characters. The file in `exchanges/` contains the complete body. */
const maxBody = 4000
/** How many characters of a long body are shown before the marked place. */
const before = 1000

/**
 * An exchange, with the request and the response side by side. Marks `place` in the response, and
 * the part of the request that `differs` names.
 */
export function exchangeMarkup(
  exchange: ExchangeRecord,
  {
    place,
    differs,
    isOpen = false,
  }: { place?: MessagePlace | undefined; differs?: string | undefined; isOpen?: boolean } = {},
): Markup {
  const { number, operation, request, response, failure, milliseconds, curl } = exchange
  const status = response === undefined ? (failure ?? 'no response') : statusText(response)
  return markup`<details class="exchange"${isOpen ? markup` open` : ''}><summary>${number}: ${operation} <span class="soft">${request.method} ${pathAndQuery(request.url)} → ${status}, ${milliseconds} ms</span></summary>
<div class="sides"><div><p class="label">Request</p><pre>${requestMarkup(request, differs)}</pre></div>
<div><p class="label">Response</p><pre>${response === undefined ? '' : responseMarkup(response, place)}${failure === undefined ? '' : `→ ${failure}`}</pre></div></div>
${command('curl', curl)}</details>
`
}

function requestMarkup(
  { method, url, headers, body }: ExchangeRecord['request'],
  differs: string | undefined,
): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  const shown = body === null ? null : shorten({ text: body, mark: undefined }).text
  const text = `${method} ${url}\n${lines.join('')}${shown === null ? '' : `\n${shown}`}`
  return marked(
    differs === undefined ? { text, mark: undefined } : markRequest(text, shown, differs),
  )
}

function responseMarkup(
  { status, headers, body }: NonNullable<ExchangeRecord['response']>,
  place: MessagePlace | undefined,
): Markup {
  const isPlace = (name: string) =>
    place?.kind === 'header' && place.name.toLowerCase() === name.toLowerCase()
  const statusLine = `→ ${statusText({ status })}`
  return markup`${place?.kind === 'status' ? marked({ text: statusLine, mark: [2, statusLine.length] }) : statusLine}
${headers.map(([name, value]) => {
  const line = `${name}: ${value}`
  return markup`${isPlace(name) ? marked({ text: line, mark: [0, line.length] }) : line}
`
})}
${marked(shorten({ text: body, mark: place?.kind === 'member' ? findMember(body, place.path) : undefined }))}
`
}

/** Shows a string with its marked part. */
export function marked({ text, mark }: Marked): Markup {
  if (mark === undefined) return markup`${text}`
  const [start, end] = mark
  return markup`${text.slice(0, start)}<mark>${text.slice(start, end)}</mark>${text.slice(end)}`
}

/** Cuts a long string. Keeps the start of the marked part. */
function shorten({ text, mark }: Marked): Marked {
  if (text.length <= maxBody) return { text, mark }
  const start = mark === undefined || mark[1] <= maxBody ? 0 : Math.max(0, mark[0] - before)
  const end = Math.min(start + maxBody, text.length)
  const [head, tail] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  return {
    text: `${head}${text.slice(start, end)}${tail}\n(shortened: the body has ${text.length} characters)`,
    mark: mark && [mark[0] - start + head.length, Math.min(mark[1], end) - start + head.length],
  }
}

/** A command line with a copy button, which the script shows. */
export function command(label: string, line: string): Markup {
  return markup`<div class="command"><span class="name">${label}</span> <code>${line}</code> ${copyButton(`the ${label} line`)}</div>`
}

/** The path and query of a URL. Other addresses, such as a command, are returned unchanged. */
function pathAndQuery(url: string): string {
  return URL.canParse(url) && url.startsWith('http')
    ? url.slice(new URL(url).origin.length) || '/'
    : url
}
