import { NotCovered, type Expectation } from '../../../engine/index.ts'
import { check, watch } from '../support/define.ts'
import { bytesOf, decodeResponses, isNewId } from '../support/messages.ts'
import {
  isFarFrom,
  millisecondsBetween,
  timeResponses,
  type ReadTime,
  type TimedResponse,
} from '../support/times.ts'
import type { GreetingWorld } from '../support/world.ts'

/**
 * How exact a time must be, in milliseconds. The document states no format, so times in seconds
 * conform.
 */
const exactnessMs = 1000
/**
 * How many milliseconds earlier the time of a later response may be, because a server may read a
 * clock that is updated only at intervals.
 */
const backwardsMs = 100

/**
 * The number of requests, and the milliseconds between two of them. All requests together take more
 * than a second. So their times pass a full second, which shows a wrong fraction of a second.
 */
const spreadCount = 20
const spreadMs = 55
/** The maximum time to wait for a response before the next request, in milliseconds. */
const responseMs = 1000

type Readable = TimedResponse & { readonly time: ReadTime }
interface Pair<R> {
  readonly first: R
  readonly second: R
}

const isReadable = (response: TimedResponse): response is Readable => response.time !== undefined

/** The maximum number of responses of which every pair is compared. */
const maxCompared = 300

/** All pairs of different responses, each pair in both orders. Of many responses, skips some. */
function pairsOf<R>(all: readonly R[]): Pair<R>[] {
  const step = Math.ceil(all.length / maxCompared)
  const responses = all.filter((_, index) => index % step === 0 || index === all.length - 1)
  return responses.flatMap((first) =>
    responses.flatMap((second) => (first === second ? [] : [{ first, second }])),
  )
}

/** Expects `isMet` to return true for every pair of responses. */
function ofEveryPair<R extends TimedResponse>(
  name: string,
  expected: string,
  isMet: (pair: Pair<R>) => boolean,
): Expectation<readonly R[]> {
  const findUnmet = (responses: readonly R[]) => pairsOf(responses).find((pair) => !isMet(pair))
  return {
    name,
    expected,
    test: (responses) => findUnmet(responses) === undefined,
    received: (responses) => {
      const { first, second } = findUnmet(responses)!
      const [least, most] = [second.earliest - first.latest, second.latest - first.earliest].map(
        (milliseconds) => (milliseconds / 1000).toFixed(1),
      )
      return `${quote(first)}, and ${least} to ${most} s later ${quote(second)}`
    },
  }
}

const quote = ({ text }: TimedResponse) => JSON.stringify(text.slice(0, 80))

/**
 * Returns all responses of the streams on which the client paused. Each has the earliest and the
 * latest time at which the server can have generated it.
 */
async function timedResponses({ pausedStreams, target, waitForStage }: GreetingWorld) {
  await waitForStage('final')
  const { long, idle, same, fresh, stoppedMs } = await pausedStreams()
  const isOneToOne = target.relationship !== undefined
  const responses = [long, idle, same, fresh].flatMap((exchange) =>
    timeResponses(exchange, { isOneToOne }),
  )
  return { responses, stoppedMs }
}

/**
 * Finds the first response with an earlier time than a previous response. Compares a response only
 * with those that the client had received before it sent the request. Returns both responses.
 */
function findBackwards(readable: readonly Readable[]): Pair<Readable> | undefined {
  let newest: Readable | undefined
  let received = 0
  for (const second of readable) {
    for (
      ;
      received < readable.length && readable[received]!.latest < second.earliest;
      received += 1
    )
      if (newest === undefined || millisecondsBetween(newest.time, readable[received]!.time) > 0)
        newest = readable[received]
    if (newest !== undefined && millisecondsBetween(second.time, newest.time) > backwardsMs)
      return { first: newest, second }
  }
  return undefined
}

export const timesChecks = [
  check('GRT-RESPONSE-06', {
    title: 'returns the time at which each response was generated',
    door: 'streams with pauses',
    async run(world) {
      const { responses, stoppedMs } = await timedResponses(world)
      const readable = responses.filter(isReadable)
      if (readable.length < 2)
        throw new NotCovered(
          `the suite cannot read this format of times: ${quote(responses[0] ?? noResponse)}`,
        )
      world.expectValue(
        readable,
        ofEveryPair(
          'advances with time',
          'times that differ by at least the time between the responses, to the second',
          // Judges pairs in the order in which they were generated. The next expectation judges the
          // reverse order, and allows for the time for which the suite's clock stopped.
          ({ first, second }) =>
            second.earliest <= first.latest ||
            millisecondsBetween(first.time, second.time) >
              second.earliest - first.latest - exactnessMs,
        ),
        ofEveryPair(
          'does not advance too fast',
          'times that differ by at most the time between the responses, to the second',
          ({ first, second }) =>
            millisecondsBetween(first.time, second.time) <
            second.latest - first.earliest + exactnessMs + stoppedMs,
        ),
      )
    },
  }),

  check('GRT-RESPONSE-06', {
    title: 'never returns an earlier time after a later one on a stream',
    door: 'requests within a second',
    async run({
      newRequests,
      startCall,
      openChannel,
      runThroughGate,
      methodPath,
      expectValue,
      wait,
    }) {
      const path = await methodPath()
      const exchange = await runThroughGate(async () => {
        const stream = startCall(await openChannel(), { path })
        let responds = true
        for (const request of newRequests(spreadCount)) {
          if (!(await stream.send(bytesOf(request)))) break
          await wait(spreadMs)
          // If no response arrives once, the server responds later, so the loop never waits again.
          responds &&= (await stream.next(responseMs)) !== undefined
        }
        stream.halfClose()
        await stream.drain()
        return stream.exchange
      })
      const readable = timeResponses(exchange).filter(isReadable)
      if (readable.length < 2)
        throw new NotCovered(`the suite can read fewer than two times: ${exchange.summary}`)
      expectValue(findBackwards(readable), {
        name: 'does not run backwards',
        expected: 'times not earlier than in responses received before the request was sent',
        test: (found) => found === undefined,
        received: (found) => `${quote(found!.first)}, and later ${quote(found!.second)}`,
      })
    },
  }),

  watch('GRT-RESPONSE-06', {
    title: 'never returns the identifier of a request as the time',
    door: 'all streams of the run',
    examine: (exchange) => {
      if (exchange.operation !== 'greet') return []
      const texts = decodeResponses(exchange).map(({ server_timestamp: text }) => text)
      const id = texts.find(isNewId)
      return texts.length === 0
        ? []
        : [
            {
              name: 'is not an identifier',
              held: id === undefined,
              expected: 'a time',
              received: id === undefined ? 'as expected' : `the identifier ${id}`,
            },
          ]
    },
  }),

  check('GRT-RESPONSE-08', {
    title: 'returns a different time after a pause',
    async run(world) {
      const { responses } = await timedResponses(world)
      world.expectValue(
        responses,
        ofEveryPair(
          'differs after a second',
          'a server_timestamp that differs from those of responses more than a second earlier',
          ({ first, second }) =>
            first.text !== second.text || second.earliest - first.latest <= exactnessMs,
        ),
      )
    },
  }),

  watch('GRT-RESPONSE-09', {
    title: 'returns times within a day of the current time',
    examine: (exchange) => {
      if (exchange.operation !== 'greet') return []
      const texts = decodeResponses(exchange).map(({ server_timestamp: text }) => text)
      const far = texts.find((text, index) => isFarFrom(text, exchange.received[index]!.at))
      return texts.length === 0
        ? []
        : [
            {
              name: 'is within a day of now',
              held: far === undefined,
              expected: 'a time within a day of the time at which it was received',
              received: far === undefined ? 'as expected' : JSON.stringify(far.slice(0, 80)),
            },
          ]
    },
  }),
]

const noResponse: TimedResponse = { text: '', time: undefined, earliest: 0, latest: 0 }
