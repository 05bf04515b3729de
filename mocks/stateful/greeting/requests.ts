import type { GreetingRequest } from '../../../generated/greeting/index.ts'
import type { Stream } from './stream.ts'

/** Number of buffered requests after which the stream pauses; a large request pauses it at once. */
const maxBuffered = 16
const largeNameLength = 32 * 1024

type Next = IteratorResult<GreetingRequest, undefined>
const end: Next = { value: undefined, done: true }

/**
 * The requests of a stream. Reading fails if the caller disconnects before its last request. This
 * iterator is faster than the stream's own iterator, and keeps the stream open for responses after
 * reading stops.
 */
export function requestsOf(stream: Stream): AsyncIterable<GreetingRequest> {
  return { [Symbol.asyncIterator]: () => newReader(stream) }
}

/** Limits the stream's own buffer, in which grpc-js would keep 16 more messages of any size. */
function limitBuffer(stream: Stream): void {
  ;(
    stream as unknown as { _readableState: { highWaterMark: number } }
  )._readableState.highWaterMark = 1
}

function newReader(stream: Stream): AsyncIterator<GreetingRequest, undefined> {
  const buffered: GreetingRequest[] = []
  let waiting: { resolve(next: Next): void; reject(error: Error): void } | undefined
  // The caller may have disconnected before the first read, and then `close` was emitted before.
  let state: 'open' | 'ended' | 'gone' = stream.cancelled || stream.destroyed ? 'gone' : 'open'

  const settle = (next: 'ended' | 'gone') => {
    if (state !== 'open') return
    state = next
    if (next === 'ended') waiting?.resolve(end)
    else waiting?.reject(newDisconnectedError())
    waiting = undefined
  }
  const receive = (request: GreetingRequest) => {
    if (waiting === undefined) {
      if (buffered.push(request) >= maxBuffered || request.name.length >= largeNameLength)
        stream.pause()
      return
    }
    waiting.resolve({ value: request, done: false })
    waiting = undefined
  }
  limitBuffer(stream)
  stream.on('data', receive)
  stream.on('end', () => settle('ended')).on('close', () => settle('gone'))

  return {
    next() {
      const value = buffered.shift()
      if (value !== undefined) {
        if (buffered.length === 0 && stream.isPaused()) stream.resume()
        return Promise.resolve({ value, done: false })
      }
      if (state === 'open')
        return new Promise((resolve, reject) => {
          waiting = { resolve, reject }
        })
      return state === 'ended' ? Promise.resolve(end) : Promise.reject(newDisconnectedError())
    },
    return() {
      state = 'ended'
      stream.pause().off('data', receive)
      return Promise.resolve(end)
    },
  }
}

const newDisconnectedError = () => new Error('the caller has disconnected')
