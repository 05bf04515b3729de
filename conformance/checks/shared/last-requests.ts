import type { HttpClient, HttpExchange, HttpRequest } from '../../wire/index.ts'
import type { RunEnvironment } from './subject.ts'

/**
 * The maximum time of the clean-up at the end of a run, in milliseconds, not counting the pauses of
 * `suite.pace`.
 */
const maxMs = 20_000

/** The maximum time of the clean-up by `touchstone clean`, in milliseconds. */
export const maxCleanMs = 600_000

/** How many requests are sent at the same time. */
const parallel = 8

/** A request of the clean-up. `exchange` is undefined if there was no time left to send it. */
export interface LastRequest {
  readonly request: HttpRequest
  readonly exchange: HttpExchange | undefined
}

/**
 * Sends the requests that clean up at the end of a run, after all other requests, and for a limited
 * time: a broken server may respond slowly or not at all.
 */
export class LastRequests {
  private readonly client: HttpClient
  private readonly environment: Pick<RunEnvironment, 'clock' | 'timeout' | 'suite'>
  private readonly limit: number
  private until: number | undefined

  /** `limit` is the maximum time of the clean-up, in milliseconds. */
  constructor(
    client: HttpClient,
    environment: Pick<RunEnvironment, 'clock' | 'timeout' | 'suite'>,
    limit = maxMs,
  ) {
    this.client = client
    this.environment = environment
    this.limit = limit
  }

  /** Returns the results in the order of the requests. The time begins with the first call. */
  async send(requests: readonly HttpRequest[]): Promise<LastRequest[]> {
    const { clock, timeout, suite } = this.environment
    this.until = (this.until ?? clock.now() + this.limit) + requests.length * (suite.pace ?? 0)
    // Also ends pauses after 429 responses.
    const over = new AbortController()
    const stop = clock.after(
      Math.max(0, this.until - clock.now()),
      () => over.abort(),
      'the clean-up on the server',
    )
    const results: LastRequest[] = []
    const rest = [...requests.entries()]
    const work = async () => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
        const [index, request] = next
        const left = this.until! - clock.now()
        const exchange =
          left <= 0
            ? undefined
            : await this.client.send(
                { ...request, timeout: Math.min(timeout, left) },
                Number.MAX_SAFE_INTEGER,
                over.signal,
              )
        results[index] = { request, exchange }
      }
    }
    await Promise.all(Array.from({ length: parallel }, work))
    stop()
    return results
  }
}

/** Why a request of the clean-up did not succeed, for people. */
export const outcomeOf = ({ exchange }: LastRequest): string =>
  exchange === undefined
    ? 'was not sent, because the time limit of the clean-up had passed'
    : `returned ${exchange.summary}`
