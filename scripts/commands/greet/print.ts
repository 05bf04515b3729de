import { showHidden, printableJson } from '../../../conformance/engine/index.ts'
import { count } from '../../../conformance/report/explanation.ts'
import { decodeGreetingResponse } from '../../../generated/greeting/index.ts'
import type { GrpcEnd, GrpcMessage } from '../../../conformance/wire/index.ts'
import { statusName } from '../../../conformance/wire/grpc.ts'

/** A response that cannot be decoded is shown up to this number of bytes. */
const maxShownBytes = 24

/** Formats a response: milliseconds since the last name, the greeting, and the server's time. */
export function responseLine({ bytes }: GrpcMessage, milliseconds: number, json: boolean): string {
  const response = tryDecode(bytes)
  if (json)
    return printableJson(
      response === undefined
        ? { undecodable: bytes.toString('base64'), milliseconds }
        : { ...response, milliseconds },
    )
  if (response === undefined) {
    const rest = bytes.length > maxShownBytes ? '…' : ''
    const shown = `${bytes.subarray(0, maxShownBytes).toString('hex')}${rest}`
    return `${`+${milliseconds} ms`.padEnd(9)}  (not a GreetingResponse: ${count(bytes.length, 'byte')}, ${shown})`
  }
  return showHidden(
    `${`+${milliseconds} ms`.padEnd(9)}  ${response.message.replaceAll('\n', '␤')}   ${response.server_timestamp.replaceAll('\n', '␤')}`,
  )
}

function tryDecode(bytes: Uint8Array) {
  try {
    return decodeGreetingResponse(bytes)
  } catch {
    return undefined
  }
}

/** Formats the end of the stream: its status, the numbers of messages, and its duration. */
export function endLine(
  { grpcStatus, grpcMessage = '', httpStatus, failure }: GrpcEnd,
  { sent, received, milliseconds }: { sent: number; received: number; milliseconds: number },
  json: boolean,
): string {
  if (json)
    return printableJson({
      end: {
        status: grpcStatus ?? null,
        message: grpcMessage,
        ...(failure === undefined ? {} : { failure }),
        requests: sent,
        responses: received,
        milliseconds,
      },
    })
  const status =
    grpcStatus === undefined
      ? `no status from the server${httpStatus === undefined || httpStatus === 200 ? '' : `, HTTP ${httpStatus}`}${failure === undefined ? '' : `: ${failure}`}`
      : statusName(grpcStatus)
  const quoted = grpcMessage === '' || grpcStatus === 0 ? '' : ` "${grpcMessage}"`
  return showHidden(
    `${status}${quoted}: ${sent} ${sent === 1 ? 'request' : 'requests'}, ${received} ${received === 1 ? 'response' : 'responses'}, ${milliseconds} ms`,
  )
}
