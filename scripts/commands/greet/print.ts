import { decodeGreetingResponse } from '../../../generated/greeting/index.ts'
import type { GrpcEnd, GrpcMessage } from '../../../conformance/wire/index.ts'
import { statusName } from '../../../conformance/wire/grpc.ts'
import { plain } from '../../../conformance/report/story.ts'

/** A response in one line: how long after the last name it came, the greeting, the server's time. */
export function responseLine({ bytes }: GrpcMessage, milliseconds: number, json: boolean): string {
  const read = decoded(bytes)
  if (json)
    return JSON.stringify(
      read === undefined
        ? { undecodable: bytes.toString('base64'), milliseconds }
        : { ...read, milliseconds },
    )
  if (read === undefined)
    return `${`+${milliseconds} ms`.padEnd(9)}  (no GreetingResponse: ${bytes.length} bytes, ${bytes.subarray(0, 24).toString('hex')}…)`
  return plain(
    `${`+${milliseconds} ms`.padEnd(9)}  ${read.message.replaceAll('\n', '␤')}   ${read.server_timestamp.replaceAll('\n', '␤')}`,
  )
}

function decoded(bytes: Uint8Array) {
  try {
    return decodeGreetingResponse(bytes)
  } catch {
    return undefined
  }
}

/** How the stream ended, in one line. */
export function endLine(
  { grpcStatus, grpcMessage = '', httpStatus, failure }: GrpcEnd,
  { sent, came, milliseconds }: { sent: number; came: number; milliseconds: number },
  json: boolean,
): string {
  if (json)
    return JSON.stringify({
      end: {
        status: grpcStatus ?? null,
        message: grpcMessage,
        ...(failure === undefined ? {} : { failure }),
        requests: sent,
        responses: came,
        milliseconds,
      },
    })
  const status =
    grpcStatus === undefined
      ? `no status from the server${httpStatus === undefined || httpStatus === 200 ? '' : `, HTTP ${httpStatus}`}${failure === undefined ? '' : `: ${failure}`}`
      : statusName(grpcStatus)
  const said = grpcMessage === '' || grpcStatus === 0 ? '' : ` «${grpcMessage}»`
  return plain(
    `${status}${said}: ${sent} ${sent === 1 ? 'request' : 'requests'}, ${came} ${came === 1 ? 'response' : 'responses'}, ${milliseconds} ms`,
  )
}
