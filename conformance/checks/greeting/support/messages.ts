import { randomUUID } from 'node:crypto'
import {
  decodeGreetingRequest,
  encodeGreetingRequest,
  messages,
  type GreetingResponse,
} from '../../../../generated/greeting/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { fieldsOf, decodeUtf8 } from '../../../wire/grpc.ts'

/**
 * A request as a check describes it. `id` is a unique identifier by default; null omits the field.
 */
export interface GreetingInput {
  name: string
  id?: string | null
  /** The bytes to send in place of the encoded request. */
  bytes?: Uint8Array
}

/** Generates an identifier that no other request has. */
export const newId = (): string => `r-${randomUUID().slice(-12)}`

/** Whether a string has the form of an id from `newId`, which no time has. */
export const isNewId = (text: string): boolean => /^r-[\da-f]{12}$/.test(text)

/** Encodes a request. */
export function bytesOf({ name, id = newId(), bytes }: GreetingInput): Uint8Array {
  return bytes ?? encodeGreetingRequest({ name, ...(id === null ? {} : { request_id: id }) })
}

/** A response as received. An absent field is empty, as always in Protocol Buffers. */
export interface DecodedResponse {
  message: string
  server_timestamp: string
  /** Whether the bytes are a message of Protocol Buffers. */
  decodes: boolean
  /** For each field whose value is not a string, the reason. */
  fieldErrors: { message?: string; server_timestamp?: string }
}

export type FieldName = keyof GreetingResponse

/**
 * Decodes a response strictly. Does not use the generated codec: the mock uses that codec, so an
 * error in it would go unnoticed.
 */
export function readResponse(bytes: Uint8Array): DecodedResponse {
  const numbers = messages.GreetingResponse.map(({ number }) => number)
  const found = fieldsOf(bytes, numbers)
  const response: DecodedResponse = {
    message: '',
    server_timestamp: '',
    decodes: found !== undefined,
    fieldErrors: {},
  }
  for (const { name: fieldName, number } of messages.GreetingResponse) {
    const name = fieldName as FieldName
    for (const field of found ?? []) {
      if (field.number !== number) continue
      const text = field.wireType === 2 ? decodeUtf8(field.bytes) : undefined
      if (text === undefined)
        response.fieldErrors[name] =
          field.wireType === 2
            ? 'invalid UTF-8'
            : `wire type ${field.wireType}, which is not a string`
      else response[name] = text
    }
  }
  return response
}

const decodedResponses = new WeakMap<GrpcExchange, DecodedResponse[]>()

/** All responses of a stream, decoded once for all checks. */
export function decodeResponses(exchange: GrpcExchange): readonly DecodedResponse[] {
  const read = decodedResponses.get(exchange)
  if (read?.length === exchange.received.length) return read
  const responses = exchange.received.map(({ bytes }) => readResponse(bytes))
  decodedResponses.set(exchange, responses)
  return responses
}

/**
 * The requirement that a response of the stream violates; undefined if all decode and have a
 * message.
 */
export function findFlaw(exchange: GrpcExchange): RequirementId | undefined {
  const responses = decodeResponses(exchange)
  if (exchange.problems.length > 0 || responses.some(({ decodes }) => !decodes)) return 'GRT-RPC-04'
  if (responses.some(({ fieldErrors }) => fieldErrors.message !== undefined))
    return 'GRT-RESPONSE-01'
  return responses.some(({ message }) => message === '') ? 'GRT-RESPONSE-02' : undefined
}

/** All greetings of a stream in one string. */
export function joinGreetings(exchange: GrpcExchange): string {
  return decodeResponses(exchange)
    .map(({ message }) => message)
    .join('\n')
}

/** How records show messages: as JSON, which grpcurl accepts. */
export const messageFormat = {
  request: (bytes: Uint8Array): string | undefined => {
    try {
      const { name, request_id } = decodeGreetingRequest(bytes)
      return JSON.stringify({ name, ...(request_id === '' ? {} : { request_id }) })
    } catch {
      return undefined
    }
  },
  response: (bytes: Uint8Array): string | undefined => {
    const { decodes, fieldErrors, message, server_timestamp } = readResponse(bytes)
    return decodes && Object.keys(fieldErrors).length === 0
      ? JSON.stringify({ message, server_timestamp })
      : undefined
  },
}
