import type { GrpcExchange } from '../../../wire/index.ts'
import { decodeResponses } from './messages.ts'
import { findNames } from './names.ts'

/** A time that was read from text. */
export interface ReadTime {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Whether the text states a time zone. If it does not, the time can be in any zone. */
  readonly hasZone: boolean
}

const dayMs = 24 * 60 * 60 * 1000

/** The years in which common epochs begin: .NET, Windows, NTP, Unix, GPS and Cocoa. */
const epochs = [1, 1601, 1900, 1970, 1980, 2001].map((year) => new Date(0).setUTCFullYear(year))
/** The units in which times since these epochs are counted, in milliseconds. */
const units = [1000, 1, 1e-3, 1e-4, 1e-6]

/** The maximum length of a time in characters. */
const maxLength = 100

const number = /^-?\d+(\.\d+)?$/
const iso8601 =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d):?(\d\d)(?:[.,](\d+))? ?(Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?$/i
/** A date with the name of a month, as in HTTP headers. */
const withMonth = /[a-z]{3}.*\d\d:\d\d:\d\d/i
const zone = /(Z|UTC|GMT|[+-]\d\d:?\d\d)\)?$/i

/**
 * Reads a time that is exact to at least the second; undefined if the format is unknown. For a
 * number, selects the unit and the epoch that result in a time within a day of `now`, which is in
 * milliseconds since 1970.
 */
export function readTime(text: string, now: number): ReadTime | undefined {
  // Long text is not a time, and searching it with the patterns below would be slow.
  if (text.length > maxLength) return undefined
  if (number.test(text)) {
    const at = epochs
      .flatMap((epoch) => units.map((unit) => epoch + Number(text) * unit))
      .find((time) => isNear(time, now))
    return at === undefined ? undefined : { at, hasZone: true }
  }
  const [, year, month, day, hour, minute, second, fraction = '0', offset] =
    iso8601.exec(text) ?? []
  if (year !== undefined) {
    const date = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
    const at = Date.parse(date) + Number(`0.${fraction}`) * 1000 - offsetOf(offset)
    return Number.isNaN(at) ? undefined : { at, hasZone: offset !== undefined }
  }
  const at = withMonth.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : { at, hasZone: zone.test(text) }
}

/** Whether text is a number or a date that is not within a day of `now`. */
export function isFarFrom(text: string, now: number): boolean {
  const time = readTime(text, now)
  return time === undefined ? number.test(text) : !isNear(time.at, now)
}

const isNear = (time: number, now: number) => Math.abs(time - now) <= dayMs

/** Milliseconds by which a zone is ahead of UTC. */
function offsetOf(offset = ''): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  if (hours === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/**
 * Milliseconds from one time to another. If a time has no zone, ignores whole hours, because the
 * server may change to or from summer time.
 */
export function millisecondsBetween(from: ReadTime, to: ReadTime): number {
  const difference = to.at - from.at
  if (from.hasZone && to.hasZone) return difference
  const hourMs = 60 * 60 * 1000
  return difference - Math.round(difference / hourMs) * hourMs
}

/** A response, and the limits between which the server generated it, by the suite's clock. */
export interface TimedResponse {
  readonly text: string
  /** The time that `text` states; undefined if its format is not known. */
  readonly time: ReadTime | undefined
  readonly earliest: number
  readonly latest: number
}

/**
 * The responses of a stream in order, each with the limits between which the server generated it.
 * `earliest` is when the client sent the name in the response, if the client sent this name only
 * once. With `isOneToOne`, each response belongs to the request at the same position.
 */
export function timeResponses(
  exchange: GrpcExchange,
  { isOneToOne = false } = {},
): TimedResponse[] {
  const sentAt = new Map<string, number>()
  for (const { at, frame, message = frame } of exchange.sent)
    for (const name of findNames(Buffer.from(message).toString('latin1')))
      sentAt.set(name, sentAt.has(name) ? exchange.startedAt : at)
  const isPaired = isOneToOne && exchange.receivedCount === exchange.sentCount
  let read: { text: string; time: ReadTime | undefined } | undefined
  return decodeResponses(exchange).map(({ message, server_timestamp: text }, index) => {
    const latest = exchange.received[index]!.at
    if (read?.text !== text) read = { text, time: readTime(text, latest) }
    const earliest = Math.max(
      exchange.startedAt,
      ...findNames(message).map((name) => sentAt.get(name) ?? 0),
      isPaired ? (exchange.sent[index]?.at ?? 0) : 0,
    )
    return { text, time: read.time, earliest, latest }
  })
}
