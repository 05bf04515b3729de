import { createHash } from 'node:crypto'

/** A number or text from which a happening of its own is made; the same one makes the same. */
export type Seed = number | string

/**
 * Makes another happening of a payload: ids, commit ids and times are renewed, in the payload itself. What was equal stays equal, also
 * across payloads that are renewed by one seed, and what differed still differs: ids move by one distance, times by another, and commit
 * ids digit by digit, so that a short one remains the beginning of its long one. All zeros stay, and so does the form of each time.
 */
export function renew(payload: object, seed: Seed): void {
  const by = newness(seed)
  const found: Found = { ids: new Set(), shas: new Set(), texts: new Map() }
  collect(payload, '', found)
  rewrite(payload, '', by, found)
}

interface Newness {
  ids: number
  ms: number
  digits: string
}
/** What of a payload is renewed wherever it stands, and the texts that were renewed already: most of them stand there more than once. */
interface Found {
  ids: Set<string>
  shas: Set<string>
  texts: Map<string, string>
}
type Node = Record<string | number, unknown>

const fullSha = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g
const anySha = /\b[0-9a-f]{7,64}\b/g

function newness(seed: Seed): Newness {
  const hash = createHash('sha512')
    .update(`${typeof seed} ${seed}`)
    .digest()
  return {
    // Far enough from the ids of the next seed, and below 2^31 for receivers that read 32 bits.
    ids: 1000 * (1 + (hash.readUInt32LE(32) % 1_000_000)),
    // Within two years, in whole minutes.
    ms: 60_000 * (1 + (hash.readUInt32LE(36) % 1_000_000)),
    digits: hash.toString('hex', 0, 32),
  }
}

/** Whether numbers under this name identify something. A state_id is one of a few known numbers. */
function isIdName(name: string): boolean {
  return /(^|_)i?ids?$/.test(name) && name !== 'state_id'
}

function isId(value: unknown, name: string): value is number {
  return typeof value === 'number' && value > 0 && Number.isSafeInteger(value) && isIdName(name)
}

/** Elements of an array, and what a field was and is, go by the name of their holder. */
function nameOf(key: string, holder: unknown, name: string): string {
  return Array.isArray(holder) || key === 'previous' || key === 'current' ? name : key
}

function collect(holder: object, name: string, found: Found): void {
  for (const [key, value] of Object.entries(holder)) {
    const own = nameOf(key, holder, name)
    if (isId(value, own)) found.ids.add(String(value))
    else if (typeof value === 'object' && value !== null) collect(value, own, found)
    else if (typeof value === 'string' && value.length >= 40)
      for (const [sha] of value.matchAll(fullSha)) found.shas.add(sha)
  }
}

function rewrite(holder: object, name: string, by: Newness, found: Found): void {
  for (const [key, value] of Object.entries(holder)) {
    const own = nameOf(key, holder, name)
    if (isId(value, own)) (holder as Node)[key] = value + by.ids
    else if (typeof value === 'string')
      (holder as Node)[key] =
        own === 'short_sha' ? newSha(value, by.digits) : textOf(value, by, found)
    else if (typeof value === 'object' && value !== null) rewrite(value, own, by, found)
  }
}

function textOf(text: string, by: Newness, found: Found): string {
  let renewed = found.texts.get(text)
  if (renewed === undefined)
    found.texts.set(text, (renewed = shifted(text, by.ms) ?? withNewIds(text, by, found)))
  return renewed
}

function withNewIds(text: string, by: Newness, { ids, shas }: Found): string {
  const renewed = text.replace(anySha, (sha) =>
    isPrefix(sha, shas) ? newSha(sha, by.digits) : sha,
  )
  if (!renewed.includes('://')) return renewed
  // In the path of a URL an id is a whole segment; the host and its port are none.
  return renewed.replace(/(?<=[^/]\/)\d+(?=$|[/?#])/g, (id) =>
    ids.has(id) ? String(Number(id) + by.ids) : id,
  )
}

function isPrefix(sha: string, known: ReadonlySet<string>): boolean {
  if (known.has(sha)) return true
  for (const one of known) if (one.startsWith(sha)) return true
  return false
}

/** Digit by digit, so that the beginning of a commit id becomes the beginning of its new one. */
function newSha(sha: string, digits: string): string {
  if (/^0*$/.test(sha)) return sha
  let made = ''
  for (let at = 0; at < sha.length; at += 1)
    made += hex[hex.indexOf(sha[at]!) ^ hex.indexOf(digits[at]!)] ?? sha[at]!
  return made
}

const hex = '0123456789abcdef'

const utc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/
const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

/** A time in one of the two forms of the payloads, moved by whole seconds; undefined for what is none. */
export function shifted(text: string, ms: number): string | undefined {
  // Most texts are none, and this is asked of every one.
  if (text[4] !== '-' || text.length > 40) return undefined
  const plain = utc.exec(text)
  if (plain !== null) return moved(`${plain[1]}T${plain[2]}`, ms)?.replace('T', ' ').concat(' UTC')
  const zoned = iso.exec(text)
  // Moving the local time moves the moment as far, whatever the zone.
  return zoned === null ? undefined : moved(zoned[1]!, ms)?.concat(zoned[2] ?? '', zoned[3]!)
}

function moved(local: string, ms: number): string | undefined {
  const moment = Date.parse(`${local}Z`) + ms
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString().slice(0, 19)
}
