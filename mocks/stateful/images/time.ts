import type { ImagesChoices } from './choices.ts'

/** The server's clock. Tests and the clock route set its offset, in milliseconds. */
export interface ImagesClock {
  now(): number
  offset: number
}

/** A clock that starts at the real time. */
export function newClock(): ImagesClock {
  return {
    offset: 0,
    now() {
      return Date.now() + this.offset
    },
  }
}

const extended =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i
const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/**
 * Parses an ISO 8601 timestamp in the extended or basic format. A timestamp without a time zone
 * counts as UTC.
 */
export function parseTimestamp(text: string): number | undefined {
  const match = extended.exec(text) ?? basic.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  const moment = Date.UTC(year, month - 1, day, hour, minute, second)
  const date = new Date(moment)
  // Date.UTC turns 30 February into a date in March instead of refusing it, so the day is compared.
  // For the time 24:00 and for second 60, the change to the next day or minute is correct.
  const isRealDate =
    month >= 1 &&
    day >= 1 &&
    minute < 60 &&
    second <= 60 &&
    (hour < 24 || (hour === 24 && minute + second === 0)) &&
    new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day &&
    month <= 12
  if (!isRealDate || Number.isNaN(date.getTime())) return undefined
  const millis = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000)
  return moment + millis - zoneMs(match[8])
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/** Formats a timestamp. */
export function formatTimestamp(moment: number, form: ImagesChoices['timestampForm']): string {
  if (form === 'ms') return isoString(moment)
  const text = new Date(moment).toISOString()
  if (form === 'seconds') return `${text.slice(0, 19)}Z`
  if (form === 'offset')
    return `${new Date(moment + 2 * 3_600_000).toISOString().slice(0, 23)}+02:00`
  return `${text.slice(0, 19).replace(/[-:]/g, '')}Z`
}

const hourMs = 3_600_000
let lastHour = Number.NaN
let lastHourText = ''

/**
 * Returns the same string as Date.toISOString, but faster. Date.toISOString took most of the time
 * of a list request. The string up to the hour is cached, because images that are listed together
 * were often uploaded within the same hour.
 */
function isoString(moment: number): string {
  const hour = Math.floor(moment / hourMs)
  if (hour !== lastHour) {
    lastHourText = new Date(hour * hourMs).toISOString().slice(0, -'00:00.000Z'.length)
    lastHour = hour
  }
  const rest = moment - hour * hourMs
  const minute = Math.floor(rest / 60_000)
  const second = Math.floor(rest / 1000) % 60
  const millis = Math.trunc(rest % 1000)
  return `${lastHourText}${minute < 10 ? '0' : ''}${minute}:${second < 10 ? '0' : ''}${second}.${millis < 10 ? '00' : millis < 100 ? '0' : ''}${millis}Z`
}
