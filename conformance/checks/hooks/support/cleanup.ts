import {
  percentDecode,
  type HttpClient,
  type HttpExchange,
  type HttpRequest,
} from '../../../wire/index.ts'
import {
  Creations,
  notOfTarget,
  type Journal,
  type Leftovers,
  type Undo,
} from '../../shared/journal.ts'
import { outcomeOf, type LastRequests } from '../../shared/last-requests.ts'
import { findOwned } from '../../shared/ownership.ts'
import { describeRemaining } from '../../shared/remaining.ts'
import { urlOf, type HooksRequests } from './requests.ts'

/** A hook to delete. */
export interface TrackedHook {
  id: string
  /** The URL to which the request that created the hook was sent. */
  creationUrl: string
}

/**
 * Tracks the hooks that the run created, and tries to delete them. The document describes no way to
 * delete a hook, so the suite sends DELETE requests, which may fail. It tries to delete the hooks
 * of each check after the check, because services may limit the number of hooks of a project. At
 * the end of the run, it tries to delete the hooks that remain, and reports those that it could not
 * delete.
 */
export class HooksCleanup {
  private readonly created = new Set<TrackedHook>()
  private count = 0
  private readonly requests: HooksRequests
  /** Whether a deletion was refused. If so, the other hooks are deleted at the end of the run. */
  private isRefused = false
  /**
   * Whether a deletion succeeded. Otherwise a 404 possibly means that the service has no DELETE at
   * all, and the hook still exists.
   */
  private hasDeleted = false

  private readonly journal: Journal
  private readonly creations: Creations

  constructor(requests: HooksRequests, journal: Journal) {
    this.requests = requests
    this.journal = journal
    this.creations = new Creations(journal)
  }

  /** Notes a request that creates a hook in the journal. Call it before the request is sent. */
  readonly announce = (request: HttpRequest): void => {
    if (request.operation === 'createHook')
      this.creations.begin(request, shortUrl(urlOf(request.body)))
  }

  /**
   * Adds the hook that an exchange created. `hook` is undefined if the exchange created no hook, or
   * if its id is unknown.
   */
  readonly add = (exchange: HttpExchange, hook: TrackedHook | undefined): void => {
    if (hook !== undefined) {
      this.created.add(hook)
      this.count += 1
      this.creations.end(exchange, this.undoOf(hook))
    } else if (!succeeds(exchange)) this.creations.end(exchange)
  }

  /**
   * Adds what earlier runs left. Returns a line for the hooks that are not hooks of the target, or
   * that the runs possibly did not create.
   */
  async restore(
    { undos, unanswered }: Leftovers,
    options: { last: LastRequests; force: boolean },
  ): Promise<string[]> {
    for (const [key, creation] of unanswered) this.creations.unanswered.set(key, creation)
    const hooks = new Map(
      undos.map((undo): [Undo, TrackedHook | undefined] => [undo, this.hookOf(undo)]),
    )
    const ofTarget = undos.filter((undo) => hooks.get(undo) !== undefined)
    const { own, gone, kept } = await findOwned(
      ofTarget,
      (undo) => {
        const { id, creationUrl } = hooks.get(undo)!
        return this.requests.read(id, creationUrl)
      },
      options,
    )
    for (const undo of own) this.created.add(hooks.get(undo)!)
    for (const undo of gone) this.journal.undone(undo)
    const reasons = new Map<string, string[]>()
    for (const { undo, reason } of kept)
      reasons.set(reason, [...(reasons.get(reason) ?? []), hooks.get(undo)!.id])
    return [
      ...undos
        .filter((undo) => hooks.get(undo) === undefined)
        .map(({ url }) => `DELETE ${url}: ${notOfTarget}`),
      ...[...reasons].map(([reason, ids]) => describeRemaining('hook', `(${reason}), by id`, ids)),
    ]
  }

  /** The hook that a request deletes; undefined if it is not a hook of the target. */
  private hookOf({ url }: Undo): TrackedHook | undefined {
    const [, creationUrl, id] = /^(.*)\/([^/]+)$/.exec(url) ?? []
    return id === undefined || !this.requests.isOfTarget(url)
      ? undefined
      : { id: percentDecode(id), creationUrl: creationUrl! }
  }

  /** How many hooks the run has created. */
  get createdCount(): number {
    return this.count
  }

  /** Tries to delete hooks, until a deletion is refused. */
  async deleteHooks(hooks: readonly TrackedHook[], client: HttpClient): Promise<void> {
    for (const hook of hooks) {
      if (this.isRefused) return
      const exchange = await client.send(
        this.requests.delete(hook.id, hook.creationUrl),
        Number.MAX_SAFE_INTEGER,
      )
      if (this.isGone(exchange)) this.remove(hook)
      else this.isRefused = true
    }
  }

  /**
   * Tries to delete all remaining hooks. Returns one line for all hooks whose deletion failed in
   * the same way.
   */
  async deleteRemaining(last: LastRequests): Promise<string[]> {
    const hooks = [...this.created]
    this.created.clear()
    const sent = await last.send(
      hooks.map(({ id, creationUrl }) => this.requests.delete(id, creationUrl)),
    )
    this.hasDeleted ||= sent.some(({ exchange }) => exchange !== undefined && succeeds(exchange))
    // Bodies may contain the id of the hook, so responses with the same status count as the same.
    const failures = new Map<number | string, { ids: string[]; outcomes: Set<string> }>()
    for (const [index, one] of sent.entries()) {
      const hook = hooks[index]!
      if (one.exchange !== undefined && this.isGone(one.exchange)) {
        this.remove(hook)
        continue
      }
      const outcome = outcomeOf(one)
      const key = one.exchange?.status ?? outcome
      const { ids, outcomes } = failures.get(key) ?? { ids: [], outcomes: new Set() }
      failures.set(key, { ids: [...ids, hook.id], outcomes: outcomes.add(outcome) })
    }
    const left = [...failures].map(([status, { ids, outcomes }]) => {
      const outcome = outcomes.size === 1 ? [...outcomes].join() : `returned ${status}`
      return describeRemaining(
        'hook',
        `(the document describes no way to delete a hook, and DELETE ${outcome}), by id`,
        ids,
      )
    })
    const urls = [...this.creations.unanswered.values()].map(({ mark }) => mark)
    return urls.length === 0
      ? left
      : [
          ...left,
          describeRemaining(
            'possible hook',
            '(no complete response to the creation request), by URL',
            urls,
          ),
        ]
  }

  private remove(hook: TrackedHook): void {
    this.created.delete(hook)
    this.journal.undone(this.undoOf(hook))
  }

  private undoOf({ id, creationUrl }: TrackedHook): Undo {
    const { method, url } = this.requests.delete(id, creationUrl)
    return { method, url }
  }

  private isGone(exchange: HttpExchange): boolean {
    this.hasDeleted ||= succeeds(exchange)
    const { status } = exchange
    return succeeds(exchange) || (this.hasDeleted && (status === 404 || status === 410))
  }
}

/** The part of a URL that identifies a mailbox. */
const shortUrl = (url: string) => url.split('?')[0]!.slice(0, maxUrlCharacters)
const maxUrlCharacters = 100

const succeeds = ({ status = 0 }: HttpExchange) => status >= 200 && status < 300
