import type { IncomingMessage, ServerResponse } from 'node:http'
import { changeHead, fault, onHttpRequest, pathOf, type MakeToolsDeviation } from './building.ts'

/** An event of a response to a POST. */
interface StoredEvent {
  readonly id: string
  /** The place of the event in the order of all events. */
  readonly number: number
  readonly session: unknown
  readonly stream: number
  readonly text: string
}

const sessionOf = ({ headers }: IncomingMessage): unknown => headers['mcp-session-id']

/**
 * Gives the events of each response to a POST ids, and sends the events that `isSent` selects on a
 * stream that begins after an event. A conforming server sends only later ones of the same stream.
 */
export const resumeWith =
  (
    isSent: (event: StoredEvent, last: StoredEvent, session: unknown) => boolean,
    idOf: (number: number, stream: number, first: (stream: number) => number) => string = (
      number,
    ) => `event-${number}`,
  ): MakeToolsDeviation =>
  (hit) => {
    const events: StoredEvent[] = []
    let streams = 0
    return onHttpRequest((request, response) => {
      if (pathOf(request) !== '/mcp') return
      if (request.method === 'POST') storeEvents(sessionOf(request), (streams += 1), response)
      const last = events.find(({ id }) => id === request.headers['last-event-id'])
      if (request.method !== 'GET' || last === undefined) return
      const sent = events.filter((event) => isSent(event, last, sessionOf(request)))
      if (sent.length === 0) return
      hit()
      changeHead(response, () => {
        setImmediate(() => {
          for (const { id, text } of sent) response.write(`id: ${id}\n${text}`)
        })
        return undefined
      })
    })(hit)

    function storeEvents(session: unknown, stream: number, response: ServerResponse): void {
      changeHead(response, (status, { 'content-length': _, ...headers }) => ({ status, headers }))
      const write = response.write.bind(response) as (...args: unknown[]) => boolean
      response.write = ((chunk: unknown, ...rest: unknown[]) => {
        const text = Buffer.from(chunk as Uint8Array).toString()
        if (!text.startsWith('event: message')) return write(chunk, ...rest)
        const number = events.length
        const id = idOf(
          number,
          stream,
          (one) => events.find((event) => event.stream === one)?.number ?? number,
        )
        if (id !== `event-${number}`) hit()
        events.push({ id, number, session, stream, text })
        return write(`id: ${id}\n${text}`, ...rest)
      }) as typeof response.write
    }
  }

/** Faults in streams that a client resumes. */
export const resumption = [
  fault(
    'resumed-stream-mixes-streams',
    'Sends the events of all streams of the session on a resumed stream.',
    ['TOOL-HTTP-16'],
    resumeWith((event, last, session) => event.session === session && event.stream !== last.stream),
  ),
  fault(
    'event-ids-begin-again-on-each-stream',
    'Counts the events of each stream separately.',
    ['TOOL-HTTP-17'],
    resumeWith(
      () => false,
      (number, stream, first) => `event-${number - first(stream)}`,
    ),
  ),
  fault(
    'event-ids-are-all-the-same',
    'Gives all events the same id.',
    ['TOOL-HTTP-17'],
    resumeWith(
      () => false,
      () => 'event',
    ),
  ),
  fault(
    'resumed-stream-repeats-the-last-event',
    'Sends the event again after which a client resumes a stream.',
    ['TOOL-HTTP-18'],
    resumeWith(
      (event, last, session) =>
        event.session === session && event.stream === last.stream && event.number >= last.number,
    ),
  ),
  fault(
    'resumed-stream-skips-an-event',
    'Omits the first event after the one after which a client resumes a stream.',
    ['TOOL-HTTP-18'],
    resumeWith(
      (event, last, session) =>
        event.session === session && event.stream === last.stream && event.number > last.number + 1,
    ),
  ),
  fault(
    'resumed-stream-of-another-session',
    'Sends the events of another session if the client resumes after one of them.',
    ['TOOL-HTTP-16'],
    resumeWith((event, last, session) => last.session !== session && event.stream === last.stream),
  ),
]
