import type { HttpClient, HttpExchange } from '../../../wire/index.ts'
import type { HooksRequests } from './requests.ts'

/**
 * Remembers the hooks that the run made. The document has no way to delete one: a courtesy is tried, after each check, since services may bound how many hooks
 * a project has, and once more at the end; what stays is named.
 */
export class HooksCleanup {
  private readonly created = new Set<string>()
  private readonly requests: HooksRequests
  /** Whether a deletion was refused: then the rest is left for the end. */
  private isRefused = false

  constructor(requests: HooksRequests) {
    this.requests = requests
  }

  readonly add = (hook: string): void => {
    this.created.add(hook)
  }

  /** Tries to delete some of them. */
  async deleteHooks(hooks: readonly string[], door: HttpClient): Promise<void> {
    for (const hook of hooks) {
      if (this.isRefused) return
      const exchange = await door.send(this.requests.delete(hook), Number.MAX_SAFE_INTEGER)
      if (isGone(exchange)) this.created.delete(hook)
      else this.isRefused = true
    }
  }

  /** Tries to delete them all. Gives a line for each that could not be deleted. */
  async deleteRemaining(door: HttpClient): Promise<string[]> {
    const hooks = [...this.created]
    this.created.clear()
    const answers = await Promise.all(
      hooks.map(async (hook) => ({
        hook,
        exchange: await door.send(this.requests.delete(hook), Number.MAX_SAFE_INTEGER),
      })),
    )
    return answers
      .filter(({ exchange }) => !isGone(exchange))
      .map(
        ({ hook, exchange }) =>
          `hook ${hook} (the document has no way to delete it, and DELETE gave ${exchange.summary})`,
      )
  }
}

const isGone = ({ status = 0 }: HttpExchange) =>
  (status >= 200 && status < 300) || status === 404 || status === 410
