import { encodeGreetingRequest } from '../../../generated/greeting/index.ts'
import type { GrpcEnd, GrpcStream } from '../../../conformance/wire/index.ts'
import type { NameSource } from './names.ts'
import { responseLine } from './print.ts'

/** After the last name, the call is cancelled if no response arrives for this many milliseconds. */
const maxSilence = 10_000

/**
 * Sends names as they are entered, and prints responses as they arrive, until the server ends the
 * stream. Request ids count from 1.
 */
export async function converse(
  stream: GrpcStream,
  names: NameSource,
  { json, silence = maxSilence }: { json: boolean; silence?: number },
): Promise<GrpcEnd> {
  let sentAt = stream.exchange.startedAt
  let allSent = false
  const sending = (async () => {
    let count = 0
    for await (const name of names) {
      count += 1
      sentAt = Date.now()
      if (!(await stream.send(encodeGreetingRequest({ name, request_id: String(count) })))) break
    }
    stream.halfClose()
  })()
  // Stops reading names when the stream has ended.
  void stream.ended.then(() => names.close())
  void sending.then(() => (allSent = true))
  for (;;) {
    const message = await stream.next(silence)
    if (message !== undefined)
      names.print(responseLine(message, Math.max(0, Math.round(message.at - sentAt)), json))
    else if (stream.isOver) break
    else if (allSent) stream.cancel(`no response for ${silence / 1000} s after the last name`)
  }
  return stream.ended
}
