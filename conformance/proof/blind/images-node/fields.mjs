// Reading and checking the values of single fields.
import { Fail } from './wire.mjs'

export const MAX_METADATA = 1024

/** A boolean of a form: the text true or false. */
export function formBoolean(s, text, name) {
  if (text === undefined) return false
  if (s.on('form-false-is-true') && text !== '') return true
  if (s.on('form-boolean-digits')) {
    if (text === '1') return true
    if (text === '0') return false
  }
  if (s.on('form-boolean-any-case')) text = text.toLowerCase()
  if (text === 'true') return true
  if (text === 'false') return false
  throw new Fail(400, `${name} must be true or false`)
}

export function jsonBoolean(value, name, lenient = false) {
  if (value === undefined) return undefined
  if (lenient && (value === 'true' || value === 'false')) return value === 'true'
  if (typeof value !== 'boolean') throw new Fail(400, `${name} must be a boolean`)
  return value
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

function checkSize(s, text, door) {
  let size = Buffer.byteLength(text)
  if (s.on('metadata-limit-in-characters')) size = [...text].length
  let limit = s.on('metadata-limit-1023') ? MAX_METADATA - 1 : MAX_METADATA
  if (door === 'ticket' && s.on('ticket-metadata-limit-missing')) limit = Infinity
  if (door === 'batch' && s.on('batch-metadata-limit-missing')) limit = Infinity
  if (door === 'api' && s.on('metadata-limit-2048')) limit = 2048
  if (size > limit) throw new Fail(400, `metadata has more than ${MAX_METADATA} bytes`)
}

/** Metadata of a form: a JSON object as text, measured as it was sent. */
export function formMetadata(s, text, door) {
  if (text === undefined) return undefined
  let value
  try {
    value = JSON.parse(text)
  } catch {
    throw new Fail(400, 'metadata is not JSON')
  }
  if (s.on('metadata-null-accepted') && value === null) return undefined
  if (!isObject(value) && !(Array.isArray(value) && s.on('metadata-array-accepted')))
    throw new Fail(400, 'metadata must be a JSON object')
  checkSize(s, s.on('metadata-measured-compact') ? JSON.stringify(value) : text, door)
  return keep(s, value)
}

/** Metadata of a JSON body, measured in its compact form. */
export function jsonMetadata(s, value) {
  if (value === undefined) return undefined
  if (typeof value === 'string' && s.on('ticket-metadata-text-accepted')) {
    try {
      value = JSON.parse(value)
    } catch {
      /* refused below */
    }
  }
  if (!isObject(value)) throw new Fail(400, 'metadata must be an object')
  checkSize(s, JSON.stringify(value), 'ticket')
  return keep(s, value)
}

function keep(s, value) {
  if (!s.on('nested-metadata-flattened')) return value
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => [
      k,
      v !== null && typeof v === 'object' ? JSON.stringify(v) : v,
    ]),
  )
}

/** A custom id. The name of the variants collection is kept free: an image of that name could never be read. */
export function customId(s, value, door) {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '')
    throw new Fail(400, 'id must be a text that is not empty')
  if (Buffer.byteLength(value) > 1024) throw new Fail(400, 'id is too long')
  if (!value.isWellFormed() || /[\u0000-\u001f\u007f]/.test(value))
    throw new Fail(400, 'id has characters that are not allowed')
  if (value === 'variants' || value === '.' || value === '..') throw new Fail(400, 'id is reserved')
  if (s.on('custom-id-without-slash') && value.includes('/'))
    throw new Fail(400, 'id must not contain a slash')
  if (s.on('custom-id-at-most-200-bytes') && Buffer.byteLength(value) > 200)
    throw new Fail(400, 'id is too long')
  if (s.on('custom-id-no-uuid') && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    throw new Fail(400, 'id must not be a UUID')
  if (door !== 'ticket' && s.on('custom-id-lowercased')) return value.toLowerCase()
  if (s.on('custom-id-cut-at-64')) return value.slice(0, 64)
  return value
}

/** An ISO 8601 timestamp in extended or basic form, as milliseconds; undefined when it is none. A missing zone means UTC. */
export function isoTime(s, text) {
  if (typeof text === 'number' && s.on('expiry-number-accepted'))
    return text > 1e11 ? text : text * 1000
  if (typeof text !== 'string') return undefined
  const m =
    /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d))[Tt](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?(Z|z|([+-])(\d\d)(?::?(\d\d))?)?$/.exec(
      text,
    )
  if (!m) return undefined
  if (!m[10] && s.on('expiry-needs-zone')) return undefined
  const [year, month, day] = [+m[1], +(m[2] ?? m[4]), +(m[3] ?? m[5])]
  const [hour, minute, second] = [+m[6], +m[7], +(m[8] ?? 0)]
  if (hour > 24 || minute > 59 || second > 60 || +(m[12] ?? 0) > 23 || +(m[13] ?? 0) > 59)
    return undefined
  if (hour === 24 && (minute || second)) return undefined
  const check = new Date(Date.UTC(year, month - 1, day))
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day) return undefined
  let time =
    Date.UTC(year, month - 1, day, hour, minute, second) +
    (m[9] ? Math.floor(Number(`0.${m[9]}`) * 1000) : 0)
  if (m[11] && !s.on('expiry-offset-ignored'))
    time -= (m[11] === '-' ? -1 : 1) * (+m[12] * 60 + +(m[13] ?? 0)) * 60000
  if (s.on('expiry-cut-to-minute')) time = Math.floor(time / 60000) * 60000
  return time
}

export function printTime(s, ms) {
  const text = new Date(ms).toISOString()
  if (s.on('uploaded-microseconds')) return text.replace('Z', '000Z')
  if (s.on('uploaded-whole-seconds')) return text.replace(/\.\d+/, '')
  if (s.on('uploaded-with-offset')) return text.replace('Z', '+00:00')
  return text
}
