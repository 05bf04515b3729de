import { isObject } from '../../../conformance/engine/index.ts'
import { tokenState, tokenStates, valuesOf, type Pair, type TokenState } from './headers.ts'
import type { DeliveryBody, Delivered } from './judge.ts'

type Json = Readonly<Record<string, unknown>>

// The names of the headers and the body in saved deliveries: those of `touchstone listen --save`,
// of the reports of `touchstone test`, of the mocks, and of similar programs.
const headerNames = ['headers', 'request_headers', 'requestHeaders'] as const
const bodyNames = ['body', 'payload', 'request_body', 'request_data', 'requestBody'] as const

/** The value that replaces a possible secret in saved deliveries. */
export const notSaved = '(not saved)'

/** A request in a saved delivery. */
export interface SavedRequest {
  method?: string
  headers: readonly Pair[]
  /** The body as the file contains it: JSON, a string, or bytes as Base64. */
  body?: unknown
  isBase64: boolean
  /** The result of comparing the token, if the program that saved the delivery has recorded it. */
  token?: TokenState
  /** When the delivery was received, as an ISO 8601 date. */
  receivedAt?: string
}

/** Whether a value in a saved delivery only replaces the value that was sent. */
export const isReplaced = (value: string): boolean =>
  value === notSaved || /^\$[A-Z][A-Z0-9_]*$/.test(value)

/**
 * Returns the list `deliveries` of an object, as mocks return it; undefined for any other value.
 */
export function listIn(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value) || value['object_kind'] !== undefined) return undefined
  return Array.isArray(value['deliveries']) ? value['deliveries'] : undefined
}

/**
 * Returns a delivery that was saved with its headers; undefined for a bare payload. `secret` is the
 * expected token.
 */
export function savedDelivery(value: unknown, secret: string | undefined): Delivered | undefined {
  const saved = savedRequest(value)
  if (saved === undefined) return undefined
  const { method, headers, body, isBase64 } = saved
  return {
    body: body === undefined ? { broken: 'headers without a body' } : bodyOf(body, isBase64),
    ...(method === undefined ? {} : { method }),
    ...(headers.length === 0 ? {} : { headers, token: savedTokenState(saved, secret) }),
  }
}

/** Returns the request of a delivery that was saved with its headers; undefined otherwise. */
export function savedRequest(value: unknown): SavedRequest | undefined {
  if (!isObject(value)) return undefined
  // An exchange in a report contains the whole request as `request`.
  const request = isObject(value['request']) ? value['request'] : value
  const headers = headersIn(request)
  if (headers === undefined) return undefined
  const name = bodyNames.find((candidate) => request[candidate] !== undefined)
  // A value with `object_kind` and without a body is a payload, even if it has an additional member
  // that is named like the headers of a saved delivery.
  if (name === undefined && typeof value['object_kind'] === 'string') return undefined
  const { method, receivedAt } = request
  const token = tokenStates.find((state) => state === request['token'])
  return {
    headers,
    isBase64: request['bodyCoding'] === 'base64',
    ...(name === undefined ? {} : { body: request[name] }),
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof receivedAt === 'string' ? { receivedAt } : {}),
    ...(token === undefined ? {} : { token }),
  }
}

/** Compares the token of a saved delivery with the secret, or returns the recorded result. */
function savedTokenState({ headers, token }: SavedRequest, secret: string | undefined): TokenState {
  const isHidden = valuesOf(headers, 'x-hook-token').some(isReplaced)
  if (!isHidden && secret !== undefined) return tokenState(headers, secret)
  return token === 'right' || token === 'wrong' || token === 'missing' ? token : 'not checked'
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
function bodyOf(kept: unknown, isBase64: boolean): DeliveryBody {
  if (typeof kept !== 'string') return { value: kept }
  const text = isBase64 ? Buffer.from(kept, 'base64').toString() : kept
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { broken: text === '' ? 'an empty body' : JSON.stringify(text.slice(0, 120)) }
  }
}
