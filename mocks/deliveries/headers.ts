import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { events, type EventName } from './events.ts'

export type Header = [name: string, value: string]

export interface HeaderOptions {
  event: EventName
  /** The hook's secret. Without it, X-Hook-Token is omitted. */
  token?: string | undefined
  /** The value of X-Hook-Event; by default the value that `events` defines for the event. */
  eventHeader?: string | undefined
  userAgent?: string | undefined
  contentType?: string | undefined
}

/** The headers of a delivery, except the headers that `send` adds, such as Host. */
export function headersOf({
  event,
  token,
  eventHeader = events[event].header,
  userAgent = product(),
  contentType = 'application/json',
}: HeaderOptions): Header[] {
  return [
    ['Content-Type', contentType],
    ['User-Agent', userAgent],
    ['X-Hook-Event', eventHeader],
    ...(token === undefined ? [] : [['X-Hook-Token', encodeHeaderValue(token)] satisfies Header]),
  ]
}

/** Whether a secret can be sent unchanged in a header. */
export function isHeaderValue(value: string): boolean {
  return !/[\0-\x08\x0a-\x1f\x7f]|^[ \t]|[ \t]$/.test(value)
}

/** Converts a string so that Node, which writes headers as Latin-1, sends its UTF-8 bytes. */
export function encodeHeaderValue(value: string): string {
  return Buffer.from(value).toString('latin1')
}

let cachedProduct: string | undefined

/** The name and the version of Touchstone, for the User-Agent header. */
export function product(): string {
  return (cachedProduct ??= `Touchstone/${version()}`)
}

function version(): string {
  // Searches the parent folders for the nearest package.json. This works both in the source folder
  // and in dist/.
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string })
    .version
}
