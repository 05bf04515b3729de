import { isObject } from '../../../engine/index.ts'

// Compares results of two moments. A time may differ in any notation: "2026-11-30T03:33:12Z",
// "Mon Nov 30 2026 03:33:12 GMT+0000", "30/11/2026", "3:33 AM", "2 minutes ago", 1764473592.

const unit = '(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?|[smhdwy])'
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const dayOfMonth = String.raw`\d{1,2}(?:st|nd|rd|th|\.)?`

/** What can be a time or a date, or a part of one. */
const times = [
  /\d{4}-\d{1,2}-\d{1,2}(T?)/,
  /\d{1,4}\/\d{1,2}\/\d{1,4}|\d{1,2}\.\d{1,2}\.\d{4}/,
  /\d{1,2}:\d{2}(:\d{2})?([.,]\d+)?( ?[ap]\.?m\b\.?)?/,
  new RegExp(String.raw`\b${dayOfMonth} ${month}\b\.?(,? \d{4})?`),
  new RegExp(String.raw`\b${month}\.? ${dayOfMonth}(,? \d{4})?\b`),
  /\b(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?\b|\b(yester|to)day\b/,
  new RegExp(String.raw`\b\w+ ?${unit} ago\b|\bjust now\b`),
]
const time = new RegExp(times.map(({ source }) => `(?:${source})`).join('|'), 'gi')

/** A time that differs between two calls is about now, and most identifiers are not. */
const maxDistance = 2 * 365 * 86_400_000

/** Whether a number can be a current time: in seconds, milliseconds or microseconds since 1970. */
const isCurrentTime = (number: number): boolean =>
  [1000, 1, 1 / 1000].some((ms) => Math.abs(number * ms - Date.now()) < maxDistance)

const placeholder = '[time]'

const maskTimes = (text: string): string =>
  text
    .replaceAll(time, placeholder)
    .replaceAll(/\d{10,}(\.\d+)?/g, (number) =>
      isCurrentTime(Number(number)) ? placeholder : number,
    )

/** Returns a JSON value with a placeholder in place of each time and date. */
export function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, withoutTimes(member)]),
    )
  if (typeof value === 'number') return isCurrentTime(value) ? placeholder : value
  return typeof value === 'string' ? maskTimes(value) : value
}
