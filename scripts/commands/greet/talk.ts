import { encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import type { GrpcEnd, GrpcStream } from '../../../conformance/wire/index.ts'
import type { Names } from './names.ts'
import { responseLine } from './print.ts'

/** Milliseconds that a server may be silent once there are no more names. */
const patience = 10_000

/** Sends names as they come, prints responses as they come, until the server ends the stream. Identifiers count from 1. */
export async function talk(
  stream: GrpcStream,
  names: Names,
  { json, silence = patience }: { json: boolean; silence?: number },
): Promise<GrpcEnd> {
  let sentAt = stream.exchange.startedAt
  let ended = false
  const sending = (async () => {
    let count = 0
    for await (const name of names) {
      count += 1
      sentAt = Date.now()
      if (!(await stream.send(encodeGreetingRequest({ name, request_id: String(count) })))) break
    }
    stream.halfClose()
  })()
  // Whoever types need not go on once the stream is over.
  void stream.ended.then(() => names.close())
  void sending.then(() => (ended = true))
  for (;;) {
    const message = await stream.next(silence)
    if (message !== undefined)
      names.print(responseLine(message, Math.max(0, Math.round(message.at - sentAt)), json))
    else if (stream.isOver) break
    else if (ended) stream.cancel(`nothing came for ${silence / 1000} s after the last name`)
  }
  return stream.ended
}
