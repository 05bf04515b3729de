import { createHash } from 'node:crypto'

/** Determines the ids and timestamps of a renewed payload. */
export type Seed = number | string

/**
 * Renews the ids, commit ids and timestamps of a payload, in place. Equal values stay equal, also
 * across payloads that are renewed with the same seed. Different values stay different. All ids
 * shift by one amount, and all timestamps by another. Commit ids change digit by digit, so that a
 * short commit id stays a prefix of its long form. Commit ids that are all zeros do not change, nor
 * do the formats of timestamps.
 */
export function renew(payload: object, seed: Seed): void {
  const offsets = newOffsets(seed)
  const found: Collected = { ids: new Set(), shas: new Set(), renewedStrings: new Map() }
  collect(payload, '', found)
  rewrite(payload, '', offsets, found)
}

interface Offsets {
  ids: number
  ms: number
  digits: string
}
/**
 * The ids and commit ids of a payload, and a cache of its renewed strings, because most strings
 * occur more than once.
 */
interface Collected {
  ids: Set<string>
  shas: Set<string>
  renewedStrings: Map<string, string>
}
type Node = Record<string | number, unknown>

const fullSha = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g
const anySha = /\b[0-9a-f]{7,64}\b/g

function newOffsets(seed: Seed): Offsets {
  const hash = createHash('sha512')
    .update(`${typeof seed} ${seed}`)
    .digest()
  return {
    // A multiple of 1000, so that the ids of different seeds rarely overlap. At most a billion,
    // because some receivers read ids as 32-bit integers.
    ids: 1000 * (1 + (hash.readUInt32LE(32) % 1_000_000)),
    // Whole minutes, and less than two years. Timestamps move into the past, because an event that
    // is delivered has already happened.
    ms: -60_000 * (1 + (hash.readUInt32LE(36) % 1_000_000)),
    digits: hash.toString('hex', 0, 32),
  }
}

/** Whether numbers in this field are ids. A state_id is an enumeration. */
function isIdName(name: string): boolean {
  return /(^|_)i?ids?$/.test(name) && name !== 'state_id'
}

function isId(value: unknown, name: string): value is number {
  return typeof value === 'number' && value > 0 && Number.isSafeInteger(value) && isIdName(name)
}

/**
 * The field name that decides whether a value is an id. Array elements, and the members `previous`
 * and `current`, have the name of the field that contains them.
 */
function fieldNameOf(key: string, holder: unknown, name: string): string {
  return Array.isArray(holder) || key === 'previous' || key === 'current' ? name : key
}

function collect(holder: object, name: string, found: Collected): void {
  for (const [key, value] of Object.entries(holder)) {
    const fieldName = fieldNameOf(key, holder, name)
    if (isId(value, fieldName)) found.ids.add(String(value))
    else if (typeof value === 'object' && value !== null) collect(value, fieldName, found)
    else if (typeof value === 'string' && value.length >= 40)
      for (const [sha] of value.matchAll(fullSha)) found.shas.add(sha)
  }
}

function rewrite(holder: object, name: string, offsets: Offsets, found: Collected): void {
  for (const [key, value] of Object.entries(holder)) {
    const fieldName = fieldNameOf(key, holder, name)
    if (isId(value, fieldName)) (holder as Node)[key] = value + offsets.ids
    else if (typeof value === 'string')
      (holder as Node)[key] =
        fieldName === 'short_sha'
          ? newSha(value, offsets.digits)
          : renewString(value, offsets, found)
    else if (typeof value === 'object' && value !== null) rewrite(value, fieldName, offsets, found)
  }
}

function renewString(text: string, offsets: Offsets, found: Collected): string {
  let renewed = found.renewedStrings.get(text)
  if (renewed === undefined)
    found.renewedStrings.set(
      text,
      (renewed = shiftTimestamp(text, offsets.ms) ?? replaceIds(text, offsets, found)),
    )
  return renewed
}

function replaceIds(text: string, offsets: Offsets, { ids, shas }: Collected): string {
  const renewed = text.replace(anySha, (sha) =>
    isPrefix(sha, shas) ? newSha(sha, offsets.digits) : sha,
  )
  if (!renewed.includes('://')) return renewed
  // In a URL, only a whole segment of the path can be an id. Host and port do not change.
  return renewed.replace(/(?<=[^/]\/)\d+(?=$|[/?#])/g, (id) =>
    ids.has(id) ? String(Number(id) + offsets.ids) : id,
  )
}

function isPrefix(sha: string, known: ReadonlySet<string>): boolean {
  if (known.has(sha)) return true
  for (const one of known) if (one.startsWith(sha)) return true
  return false
}

/**
 * Changes each digit independently, so that a prefix of a commit id becomes a prefix of the new
 * one.
 */
function newSha(sha: string, digits: string): string {
  if (/^0*$/.test(sha)) return sha
  let newDigits = ''
  for (let index = 0; index < sha.length; index += 1)
    newDigits += hex[hex.indexOf(sha[index]!) ^ hex.indexOf(digits[index]!)] ?? sha[index]!
  return newDigits
}

const hex = '0123456789abcdef'

const utc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/
const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

/**
 * Shifts a timestamp by `ms` milliseconds, which must be a whole number of seconds. Accepts the two
 * timestamp formats of the payloads; returns undefined for other strings.
 */
export function shiftTimestamp(text: string, ms: number): string | undefined {
  // A quick test, because this is called for every string and most are not timestamps.
  if (text[4] !== '-' || text.length > 40) return undefined
  const plain = utc.exec(text)
  if (plain !== null)
    return shiftLocalTime(`${plain[1]}T${plain[2]}`, ms)?.replace('T', ' ').concat(' UTC')
  const zoned = iso.exec(text)
  // Shifting the local time shifts the instant by the same amount in every time zone.
  return zoned === null
    ? undefined
    : shiftLocalTime(zoned[1]!, ms)?.concat(zoned[2] ?? '', zoned[3]!)
}

function shiftLocalTime(local: string, ms: number): string | undefined {
  const moment = Date.parse(`${local}Z`) + ms
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().slice(0, 19)
}
