import { Answer } from './answer.ts'
import { call } from './call.ts'
import type { Bearing } from './carrier.ts'
import { Errand } from './errand.ts'
import { McpExchange, type McpFailure, type McpSent } from './exchange.ts'
import type { McpTransport } from './places.ts'
import type { SseEvent } from './sse.ts'

export interface StreamOptions {
  transport: McpTransport
  operation: string
  sent: McpSent
  timeout: number
  idle?: number | undefined
  /** Told of events of other types than `message`. */
  event?: ((event: SseEvent, errand: Errand) => void) | undefined
  /** Told when the event stream stands. Where it is not given, that is enough, and the errand is over. */
  stands?: (() => void) | undefined
  /** Told when it has ended, however that came. */
  ended?: ((failure: McpFailure, why: string) => void) | undefined
}

/** How many times as much as one answer an event stream may bring that lasts as long as the connection. */
const longer = 8

/** Opens an event stream with GET. The errand is over when it is known whether it stands; what comes goes to the dialogue for as long as it lasts. */
export function openStream(
  { settings, dialogue }: Bearing,
  options: StreamOptions,
): { errand: Errand; stop: () => void } {
  const { transport, operation, sent, timeout, idle, event, stands, ended } = options
  const { clock, number, redact, maxBytes } = settings
  const exchange = new McpExchange({
    number: number(),
    operation,
    transport,
    sent,
    id: undefined,
    startedAt: clock.now(),
    redact,
  })
  const errand = new Errand({ exchange, clock, awaits: [], timeout, idle })
  const answer = new Answer(exchange, {
    message: (value, one) =>
      dialogue.take(value, { stream: 'get', exchange, eventId: one?.id, text: one?.data }),
    problem: (problem) => {
      exchange.problems.push(problem)
      dialogue.problem(problem)
    },
    event: event === undefined ? undefined : (one) => event(one, errand),
  })
  const stop = call(
    { ...sent, bytes: undefined, maxBytes: longer * maxBytes },
    {
      head: (status, pairs) => {
        errand.stir()
        answer.head(status, pairs)
        if (status < 200 || status >= 300 || exchange.contentType !== 'text/event-stream') return
        if (stands === undefined) errand.finish()
        else stands()
      },
      data: (chunk) => {
        errand.stir()
        // All responses of HTTP+SSE come here.
        if (transport === 'sse') for (const one of dialogue.errands) one.stir()
        answer.data(chunk)
      },
      end: (failure, why = 'the event stream ended') => {
        answer.end(failure === undefined)
        exchange.markEnded()
        if (failure === undefined) errand.conclude()
        else errand.finish(failure, why)
        ended?.(failure ?? 'closed', why)
      },
    },
  )
  const end = () => {
    stop()
    exchange.markEnded()
    errand.finish('closed', 'the client closed the connection')
  }
  errand.abandon = end
  return { errand, stop: end }
}
