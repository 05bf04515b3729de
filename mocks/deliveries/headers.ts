import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { events, type EventName } from './events.ts'

export type Header = [name: string, value: string]

export interface HeaderOptions {
  event: EventName
  /** The hook's secret. Without one its header is left out. */
  token?: string | undefined
  /** Where it is not the event's own value of X-Hook-Event. */
  eventHeader?: string | undefined
  userAgent?: string | undefined
  contentType?: string | undefined
}

/** The headers of a delivery, but for those of the connection. */
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
    ...(token === undefined ? [] : [['X-Hook-Token', headerText(token)] satisfies Header]),
  ]
}

/** Whether a secret can travel in a header and arrive as it was. */
export function isHeaderText(text: string): boolean {
  return !/[\0-\x08\x0a-\x1f\x7f]|^[ \t]|[ \t]$/.test(text)
}

/** Node writes headers byte by byte; this makes the bytes those of UTF-8. */
function headerText(text: string): string {
  return Buffer.from(text).toString('latin1')
}

let known: string | undefined

/** This product and its version, as a User-Agent. */
export function product(): string {
  return (known ??= `Touchstone/${version()}`)
}

function version(): string {
  // From the sources and from dist/ alike: the nearest package.json above.
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string })
    .version
}
