import type { HttpClient, HttpExchange } from '../../../wire/index.ts'
import { outcomeOf, type LastRequests } from '../../shared/last-requests.ts'
import type { HooksRequests } from './requests.ts'

/** A hook to delete. */
export interface TrackedHook {
  id: string
  /** The URL to which the request that created the hook was sent. */
  creationUrl: string
}

/**
 * Tracks the hooks that the run created, and tries to delete them. The document describes no way to
 * delete a hook, so the suite sends a DELETE request, which may fail. It sends one after each
 * check, because services may limit the number of hooks of a project, and again at the end of the
 * run. Hooks that could not be deleted are reported.
 */
export class HooksCleanup {
  private readonly created = new Set<TrackedHook>()
  private count = 0
  private readonly requests: HooksRequests
  /** Whether a deletion was refused. The remaining hooks are then left for the end of the run. */
  private isRefused = false
  /**
   * Whether a deletion succeeded. Otherwise a 404 possibly means that the service has no DELETE at
   * all, and the hook still exists.
   */
  private hasDeleted = false

  constructor(requests: HooksRequests) {
    this.requests = requests
  }

  readonly add = (hook: TrackedHook): void => {
    this.created.add(hook)
    this.count += 1
  }

  /** How many hooks the run has created. */
  get createdCount(): number {
    return this.count
  }

  /** Tries to delete hooks, until the first one is refused. */
  async deleteHooks(hooks: readonly TrackedHook[], client: HttpClient): Promise<void> {
    for (const hook of hooks) {
      if (this.isRefused) return
      const exchange = await client.send(
        this.requests.delete(hook.id, hook.creationUrl),
        Number.MAX_SAFE_INTEGER,
      )
      if (this.isGone(exchange)) this.created.delete(hook)
      else this.isRefused = true
    }
  }

  /** Tries to delete all remaining hooks. Returns a line for each that could not be deleted. */
  async deleteRemaining(last: LastRequests): Promise<string[]> {
    const hooks = [...this.created]
    this.created.clear()
    const sent = await last.send(
      hooks.map(({ id, creationUrl }) => this.requests.delete(id, creationUrl)),
    )
    this.hasDeleted ||= sent.some(({ exchange }) => exchange !== undefined && succeeds(exchange))
    return sent.flatMap((one, index) =>
      one.exchange !== undefined && this.isGone(one.exchange)
        ? []
        : [
            `hook ${hooks[index]!.id} (the document has no way to delete it, and DELETE ${outcomeOf(one)})`,
          ],
    )
  }

  private isGone(exchange: HttpExchange): boolean {
    this.hasDeleted ||= succeeds(exchange)
    const { status } = exchange
    return succeeds(exchange) || (this.hasDeleted && (status === 404 || status === 410))
  }
}

const succeeds = ({ status = 0 }: HttpExchange) => status >= 200 && status < 300
