import { connect } from 'node:net'
import type { Clock } from '../engine/index.ts'

/** Pauses before the attempts to connect again, in milliseconds: a server may be restarting. */
const pauses = [0, 100, 200, 400, 800]

/** What is known about one origin. */
interface Known {
  /** The last request that got a response. */
  answered?: string
  /** Why the origin is unreachable; undefined while it is reachable. */
  reason?: string | undefined
  /** The attempts to connect that are in progress. */
  probe?: Promise<boolean> | undefined
}

/**
 * Finds out whether a target has stopped to listen, after a request that got no response. Only for
 * the origins in the target file: another one may be wrong because of what the target returned.
 */
export class Reachability {
  private readonly clock: Clock
  private readonly origins: ReadonlyMap<string, Known>

  constructor(clock: Clock, urls: readonly string[]) {
    this.clock = clock
    this.origins = new Map(
      urls.filter((url) => URL.canParse(url)).map((url) => [originOf(url), {}]),
    )
  }

  /** Records that a request got a response. `request` describes it in a few words. */
  answered(url: string, request: string): void {
    const known = this.origins.get(originOf(url))
    if (known === undefined) return
    known.answered = request
    known.reason = undefined
  }

  /**
   * Why the origin of a request that got no response is unreachable, as one line. Undefined if it
   * accepts connections. `isRefused`: the request itself was not sent, so an earlier one is named.
   */
  async explain(url: string, request: string, isRefused: boolean): Promise<string | undefined> {
    const origin = originOf(url)
    const known = this.origins.get(origin)
    if (known === undefined) return undefined
    known.probe ??= this.canConnect(origin, known.reason === undefined ? pauses : [0]).finally(
      () => (known.probe = undefined),
    )
    if (await known.probe) return undefined
    const last = isRefused ? known.answered : request
    known.reason ??=
      last === undefined
        ? `${origin} refuses connections: start the server, or correct the URL`
        : `${origin} refuses connections since ${last}`
    return known.reason
  }

  private async canConnect(origin: string, waits: readonly number[]): Promise<boolean> {
    for (const wait of waits) {
      await this.clock.sleep(wait)
      if (await connects(origin)) return true
    }
    return false
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')

/** Whether a TCP connection can be opened. A timeout does not show that it cannot. */
function connects(origin: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    })
    const end = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(2000, () => end(true))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
