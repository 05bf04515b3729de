import type { Clock } from '../engine/index.ts'
import { tcpAddressOf, whyNotConnected } from './connect.ts'
import { LostTime } from './lost-time.ts'
import { Silence } from './silence.ts'

/** Milliseconds to wait before each attempt to connect again: a server may be restarting. */
const pauses = [0, 100, 200, 400, 800]

/** At most this many requests are named that were in progress when connections broke. */
const maxNamed = 5

/** What is known about one origin. */
interface Known<Request> {
  /** The last request that got a response. */
  answered?: Request
  /** Why the origin is unreachable; undefined while it is reachable. */
  reason?: string | undefined
  /** Requests that were sent, but whose connection was closed without a response, in order. */
  broken: Request[]
  readonly silence: Silence
  /** The attempts to connect that are in progress. */
  probe?: Promise<boolean> | undefined
}

/**
 * Finds out whether the target still responds: tries to connect after a request without a response,
 * and counts consecutive requests that timed out. Examines only origins of the target file, because
 * other URLs may come from a wrong response of the target.
 */
export class Reachability<Request extends { readonly url: string }> {
  private readonly clock: Clock
  private readonly describe: (request: Request) => string
  private readonly isLikelyCause: (request: Request) => boolean
  private readonly origins: ReadonlyMap<string, Known<Request>>

  /**
   * `userTimeout` is the timeout that the user sets for every request, in milliseconds. `describe`
   * names a request in a few words, without secrets. `isLikelyCause` selects the requests that are
   * named if several were in progress when the server ended, such as calls of tools.
   */
  constructor(
    clock: Clock,
    urls: readonly string[],
    userTimeout: number,
    describe: (request: Request) => string,
    isLikelyCause: (request: Request) => boolean = () => true,
  ) {
    this.clock = clock
    this.describe = describe
    this.isLikelyCause = isLikelyCause
    const lost = new LostTime(userTimeout)
    this.origins = new Map(
      urls
        .filter((url) => URL.canParse(url))
        .map((url) => [originOf(url), { broken: [], silence: new Silence(lost) }]),
    )
  }

  /** Records that a request got a complete response, and how many milliseconds it took. */
  answered(request: Request, durationMs?: number): void {
    const known = this.knownOf(request.url)
    if (known === undefined) return
    known.answered = request
    if (known.reason !== undefined) known.broken = []
    known.reason = undefined
    known.silence.responded(durationMs)
  }

  /** Records that a request timed out. Both times are in milliseconds of the clock. */
  timedOut(request: Request, times: { sentAt: number; endedAt: number }): void {
    const origin = originOf(request.url)
    const known = this.origins.get(origin)
    if (known === undefined) return
    known.silence.timedOut(times)
    if (!known.silence.isLasting) return
    const since = known.answered === undefined ? '' : ` since ${this.describe(known.answered)}`
    const counted = known.silence.describe('requests')
    known.reason ??=
      known.silence.timeouts > 1
        ? `${origin} has not responded${since}: ${counted}, the last one ${known.silence.afterTime}`
        : `${origin} often does not respond: ${counted}, the last of them, ${this.describe(request)}, ${known.silence.afterTime}`
  }

  /** Returns the timeout of the next request to the origin of this URL, in milliseconds. */
  timeoutFor(url: string, timeout: number): number {
    return this.knownOf(url)?.silence.shorten(timeout) ?? timeout
  }

  /** Why no request should be sent to the origin of this URL; undefined if requests can be sent. */
  reasonNotToSend(url: string): string | undefined {
    const known = this.knownOf(url)
    return known?.silence.isLasting === true ? known.reason : undefined
  }

  /**
   * Returns in one line why the origin of a request without a response is unreachable; undefined if
   * the origin accepts connections. The reason names the requests that were in progress when their
   * connection was closed. With `isRefused` the request was never sent; if there is no other one,
   * the reason names the last answered request.
   */
  async explain(
    request: Request,
    { failure, isRefused }: { failure: string; isRefused?: boolean },
  ): Promise<string | undefined> {
    const origin = originOf(request.url)
    const known = this.origins.get(origin)
    if (known === undefined) return undefined
    if (isRefused !== true) known.broken.push(request)
    known.probe ??= this.canConnect(origin, known.reason === undefined ? pauses : [0]).finally(
      () => (known.probe = undefined),
    )
    if (await known.probe) {
      known.broken = []
      return undefined
    }
    const last = this.describeBroken(known)
    known.reason ??=
      last === undefined
        ? `${origin} cannot be reached (${failure}): start the server, or correct the URL`
        : `${origin} has refused connections since ${last}`
    return known.reason
  }

  /** Names the requests after which the server accepted no more connections. */
  private describeBroken({ broken, answered }: Known<Request>): string | undefined {
    const causes = broken.filter(this.isLikelyCause)
    const names = [...new Set((causes.length > 0 ? causes : broken).map(this.describe))]
    if (names.length < 2) return names[0] ?? (answered && this.describe(answered))
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
    return `one of these was in progress: ${names.slice(0, maxNamed).join(', ')}${more}`
  }

  /** Parses only URLs that are spelled in an unusual way, because every request calls this. */
  private knownOf(url: string): Known<Request> | undefined {
    for (const [origin, known] of this.origins) if (url.startsWith(`${origin}/`)) return known
    return this.origins.get(originOf(url))
  }

  private async canConnect(origin: string, waits: readonly number[]): Promise<boolean> {
    for (const wait of waits) {
      await this.clock.sleep(wait)
      if ((await whyNotConnected(tcpAddressOf(origin))) === undefined) return true
    }
    return false
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')
