import type { GreetingMiddleware, GreetingCall, GreetingContext, Ending } from './call.ts'
import { greet } from './greet.ts'
import { metadataFor } from './metadata.ts'
import { requestsOf } from './requests.ts'
import type { SentGreeting, Stream } from './stream.ts'

/**
 * A message of at least this size must be sent before the next one is written. So a caller that
 * does not read costs little memory.
 */
const largeMessageBytes = 32 * 1024

/**
 * Serves one stream, inside the middleware if there is one. If the middleware or the handler
 * throws, the stream ends with status 13.
 */
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
    // Reading also throws if the caller has disconnected. In this case `finish` does nothing.
    finish(stream, server, { code: 13, details: 'Internal error' }, call)
  }
}

function callOf(stream: Stream, server: GreetingContext): GreetingCall {
  const backpressure = newBackpressure(stream)
  let hasSentHeaders = false
  return {
    operation: 'BidirectionalGreeting',
    server,
    metadata: stream.metadata,
    headers: metadataFor(stream.metadata, server.choices),
    requests: requestsOf(stream),
    sendHeaders() {
      if (!hasSentHeaders && !this.hasDisconnected) stream.sendMetadata(this.headers)
      hasSentHeaders = true
    },
    send(response) {
      if (this.hasDisconnected) return undefined
      this.sendHeaders()
      const isLarge = sizeOf(response) >= largeMessageBytes
      const hasRoom = stream.write(response, isLarge ? backpressure.wake : undefined)
      return hasRoom && !isLarge ? undefined : backpressure.wait()
    },
    get hasDisconnected() {
      return stream.cancelled || stream.destroyed
    },
  }
}

const sizeOf = (sent: SentGreeting) =>
  sent instanceof Uint8Array ? sent.length : (sent.message?.length ?? 0)

/** Lets senders wait until a stream drains or closes. */
function newBackpressure(stream: Stream): { wait(): Promise<void>; wake(): void } {
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
  { hasDisconnected }: GreetingCall,
): void {
  if (hasDisconnected) return
  const metadata = trailers ?? metadataFor(stream.metadata, choices)
  if (code === 0) stream.end(metadata)
  else stream.emit('error', Object.assign(new Error(details), { code, details, metadata }))
}
