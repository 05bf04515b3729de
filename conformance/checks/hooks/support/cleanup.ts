import type { HttpClient, HttpExchange } from '../../../wire/index.ts'
import type { HooksRequests } from './requests.ts'

/**
 * Tracks the hooks that the run created. The document describes no way to delete a hook, so the
 * suite attempts a DELETE, which may fail: after each check, because services may limit the number
 * of hooks of a project, and again at the end. The hooks that remain are reported.
 */
export class HooksCleanup {
  private readonly created = new Set<string>()
  private readonly requests: HooksRequests
  /** Whether a deletion was refused. The rest is then left for the end. */
  private isRefused = false

  constructor(requests: HooksRequests) {
    this.requests = requests
  }

  readonly add = (hook: string): void => {
    this.created.add(hook)
  }

  /** Tries to delete hooks, until the first one is refused. */
  async deleteHooks(hooks: readonly string[], client: HttpClient): Promise<void> {
    for (const hook of hooks) {
      if (this.isRefused) return
      const exchange = await client.send(this.requests.delete(hook), Number.MAX_SAFE_INTEGER)
      if (isGone(exchange)) this.created.delete(hook)
      else this.isRefused = true
    }
  }

  /** Tries to delete all remaining hooks. Returns a line for each that could not be deleted. */
  async deleteRemaining(client: HttpClient): Promise<string[]> {
    const hooks = [...this.created]
    this.created.clear()
    const deletions = await Promise.all(
      hooks.map(async (hook) => ({
        hook,
        exchange: await client.send(this.requests.delete(hook), Number.MAX_SAFE_INTEGER),
      })),
    )
    return deletions
      .filter(({ exchange }) => !isGone(exchange))
      .map(
        ({ hook, exchange }) =>
          `hook ${hook} (the document has no way to delete it, and DELETE returned ${exchange.summary})`,
      )
  }
}

const isGone = ({ status = 0 }: HttpExchange) =>
  (status >= 200 && status < 300) || status === 404 || status === 410
