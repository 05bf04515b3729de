import { Answer } from './answer.ts'
import { call, type Agents } from './call.ts'
import type { Dialogue } from './dialogue.ts'
import type { Errand } from './errand.ts'

export interface PostOptions {
  dialogue: Dialogue
  bytes: Buffer | undefined
  maxBytes: number
  agents?: Agents | undefined
  /** True where the response comes on another stream: the POST of HTTP+SSE. */
  plain?: boolean | undefined
  /** Whether status and headers are enough: the rest is not read. */
  headOnly?: boolean | undefined
}

/** Sends an errand's request over HTTP and reads what comes, also after the errand is over. The function that is given back ends all that. */
export function post(
  errand: Errand,
  { dialogue, bytes, maxBytes, agents, plain = false, headOnly = false }: PostOptions,
): () => void {
  const { exchange } = errand
  const { method, url, headers } = exchange.sent
  const answer = new Answer(exchange, {
    plain,
    message: (value, event) =>
      dialogue.take(value, {
        stream: method === 'GET' ? 'get' : 'post',
        errand,
        eventId: event?.id,
      }),
    problem: (problem) => dialogue.problem(problem, exchange),
  })
  const end = (complete: boolean) => {
    answer.end(complete)
    exchange.markEnded()
  }
  const off = call(
    { method, url, headers, bytes, maxBytes, agents },
    {
      head: (status, pairs) => {
        errand.stir()
        answer.head(status, pairs)
        if (!headOnly) return
        stop()
        errand.finish()
      },
      data: (chunk) => {
        errand.stir()
        answer.data(chunk)
      },
      end: (failure, why) => {
        end(failure === undefined)
        const { httpStatus = 0 } = exchange
        if (failure !== undefined) errand.finish(failure, why)
        else if (plain && httpStatus >= 200 && httpStatus < 300) errand.deliver()
        else errand.conclude()
      },
    },
  )
  const stop = () => {
    off()
    end(false)
  }
  errand.abandon = stop
  return stop
}
