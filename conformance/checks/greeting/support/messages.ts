import { randomBytes } from 'node:crypto'
import {
  decodeGreetingRequest,
  encodeGreetingRequest,
} from '../../../../generated/greeting/index.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { GrpcExchange } from '../../../wire/index.ts'
import { fieldsOf, decodeUtf8 } from '../../../wire/grpc.ts'

/** A request as a check describes it; with an identifier of its own where none is given, without one where it is null. */
export interface GreetingInput {
  name: string
  id?: string | null
  /** What goes out in place of that. */
  bytes?: Uint8Array
}

/** The bytes of a request. */
export function bytesOf({
  name,
  id = `r-${randomBytes(5).toString('hex')}`,
  bytes,
}: GreetingInput): Uint8Array {
  return bytes ?? encodeGreetingRequest({ name, ...(id === null ? {} : { request_id: id }) })
}

/** A response as it stands on the wire. A field that is not there is empty, as in all of Protocol Buffers. */
export interface DecodedResponse {
  message: string
  server_timestamp: string
  /** Whether the bytes are a message of Protocol Buffers at all. */
  decodes: boolean
  /** What is wrong with a field: what stands under its number is no string. */
  fieldErrors: { message?: string; server_timestamp?: string }
}

const fields = { message: 1, server_timestamp: 2 } as const
export type FieldName = keyof typeof fields

/** Reads a response strictly, by the wire alone: the codec that the mock writes with shall not be the one that judges. */
export function readResponse(bytes: Uint8Array): DecodedResponse {
  const found = fieldsOf(bytes)
  const response: DecodedResponse = {
    message: '',
    server_timestamp: '',
    decodes: found !== undefined,
    fieldErrors: {},
  }
  for (const name of Object.keys(fields) as FieldName[]) {
    for (const field of found ?? []) {
      if (field.number !== fields[name]) continue
      const text = field.wireType === 2 ? decodeUtf8(field.bytes) : undefined
      if (text === undefined)
        response.fieldErrors[name] =
          field.wireType === 2
            ? 'bytes that are no UTF-8'
            : `wire type ${field.wireType}, which is no string`
      else response[name] = text
    }
  }
  return response
}

const known = new WeakMap<GrpcExchange, DecodedResponse[]>()

/** All responses of a stream, read once: several checks examine each. */
export function decodeResponses(exchange: GrpcExchange): readonly DecodedResponse[] {
  const read = known.get(exchange)
  if (read?.length === exchange.received.length) return read
  const responses = exchange.received.map(({ bytes }) => readResponse(bytes))
  known.set(exchange, responses)
  return responses
}

/** The row that tells what is wrong with one of the responses of a stream; undefined where they can all be read. */
export function findFlaw(exchange: GrpcExchange): RequirementId | undefined {
  const responses = decodeResponses(exchange)
  if (exchange.problems.length > 0 || responses.some(({ decodes }) => !decodes)) return 'GRT-RPC-04'
  if (responses.some(({ fieldErrors }) => fieldErrors.message !== undefined))
    return 'GRT-RESPONSE-01'
  return responses.some(({ message }) => message === '') ? 'GRT-RESPONSE-02' : undefined
}

/** All greetings of a stream in one text. */
export function joinGreetings(exchange: GrpcExchange): string {
  return decodeResponses(exchange)
    .map(({ message }) => message)
    .join('\n')
}

/** How records show messages: as JSON, which grpcurl takes too. */
export const tell = {
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
