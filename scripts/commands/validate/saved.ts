import { isObject } from '../../../conformance/engine/index.ts'
import type { DeliveryBody, Delivered } from '../deliveries/judge.ts'
import type { Pair } from '../deliveries/headers.ts'

type Json = Readonly<Record<string, unknown>>

// The names of the headers and bodies in saved deliveries. Some are written by `touchstone listen
// --save`, by the reports of `touchstone test` and by the mocks, the others by similar programs.
const headerNames = ['headers', 'request_headers', 'requestHeaders'] as const
const bodyNames = ['body', 'payload', 'request_body', 'request_data', 'requestBody'] as const

/** Returns the list `deliveries` of an object, as mocks return it. Undefined for other values. */
export function listIn(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value) || value['object_kind'] !== undefined) return undefined
  return Array.isArray(value['deliveries']) ? value['deliveries'] : undefined
}

/** Returns a delivery that was saved with its headers. Undefined for a payload alone. */
export function savedDelivery(value: unknown): Delivered | undefined {
  if (!isObject(value)) return undefined
  // An exchange in a report contains the whole request as `request`.
  const request = isObject(value['request']) ? value['request'] : value
  const headers = headersIn(request)
  if (headers === undefined) return undefined
  const name = bodyNames.find((candidate) => request[candidate] !== undefined)
  // A value with `object_kind` and without a body is a payload, even if it has a member with a name
  // from `headerNames`.
  if (name === undefined && typeof value['object_kind'] === 'string') return undefined
  const { method } = request
  return {
    body:
      name === undefined
        ? { broken: 'headers without a body' }
        : bodyOf(request[name], request['bodyCoding']),
    ...(typeof method === 'string' ? { method } : {}),
    ...(headers.length === 0 ? {} : { headers }),
  }
}

function headersIn(value: Json): Pair[] | undefined {
  const found = headerNames
    .map((name) => value[name])
    .find((headers) => typeof headers === 'object' && headers !== null)
  if (found === undefined) return undefined
  const pairs: unknown[] = Array.isArray(found)
    ? found
    : Object.entries(found as Json).flatMap(([name, values]) =>
        [values].flat().map((each) => [name, each]),
      )
  const read = pairs.map(pairOf)
  return read.includes(undefined) ? undefined : (read as Pair[])
}

function pairOf(given: unknown): Pair | undefined {
  const [name, value] = Array.isArray(given)
    ? (given as unknown[])
    : isObject(given)
      ? [given['name'], given['value']]
      : []
  return typeof name === 'string' && typeof value === 'string' ? [name, value] : undefined
}

/** Reads a body that was saved as JSON, as a string, or as Base64. */
function bodyOf(kept: unknown, coding: unknown): DeliveryBody {
  if (typeof kept !== 'string') return { value: kept }
  const text = coding === 'base64' ? Buffer.from(kept, 'base64').toString() : kept
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { broken: text === '' ? 'an empty body' : JSON.stringify(text.slice(0, 120)) }
  }
}
