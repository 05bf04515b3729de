import type { GreetingMiddleware, GreetingCall, GreetingContext, Ending } from './call.ts'
import { greet } from './greet.ts'
import { metadataFor } from './metadata.ts'
import { requestsOf } from './requests.ts'
import type { SentGreeting, Stream } from './stream.ts'

/** Above this many bytes no second message waits beside the first, so that a caller who reads nothing costs little. */
const large = 32 * 1024

/** Serves one stream. Whoever stands around is included; what they throw ends it with status 13. */
export async function serve(
  stream: Stream,
  server: GreetingContext,
  open: Set<GreetingCall>,
  around: GreetingMiddleware | undefined,
): Promise<void> {
  const call = callOf(stream, server)
  const next = () => greet(call)
  open.add(call)
  stream.once('close', () => open.delete(call))
  try {
    finish(stream, server, await (around === undefined ? next() : around(call, next)), call)
  } catch {
    // A caller that went away ends the reading with an error too, and wants no answer.
    finish(stream, server, { code: 13, details: 'Internal error' }, call)
  }
}

function callOf(stream: Stream, server: GreetingContext): GreetingCall {
  const room = newRoom(stream)
  let begun = false
  return {
    operation: 'BidirectionalGreeting',
    server,
    metadata: stream.metadata,
    headers: metadataFor(stream.metadata, server.choices),
    requests: requestsOf(stream),
    begin() {
      if (!begun && !this.gone) stream.sendMetadata(this.headers)
      begun = true
    },
    send(response) {
      if (this.gone) return undefined
      this.begin()
      const isLarge = sizeOf(response) >= large
      const hasRoom = stream.write(response, isLarge ? room.wake : undefined)
      return hasRoom && !isLarge ? undefined : room.wait()
    },
    get gone() {
      return stream.cancelled || stream.destroyed
    },
  }
}

const sizeOf = (sent: SentGreeting) =>
  sent instanceof Uint8Array ? sent.length : (sent.message?.length ?? 0)

/** Where senders wait until a stream takes more, or has closed. */
function newRoom(stream: Stream): { wait(): Promise<void>; wake(): void } {
  let waiting: (() => void)[] = []
  const wake = () => {
    const all = waiting
    waiting = []
    for (const resolve of all) resolve()
  }
  stream.on('drain', wake).on('close', wake)
  return { wake, wait: () => new Promise((resolve) => waiting.push(resolve)) }
}

function finish(
  stream: Stream,
  { choices }: GreetingContext,
  { code, details = '', trailers }: Ending,
  { gone }: GreetingCall,
): void {
  if (gone) return
  const metadata = trailers ?? metadataFor(stream.metadata, choices)
  if (code === 0) stream.end(metadata)
  else stream.emit('error', Object.assign(new Error(details), { code, details, metadata }))
}
