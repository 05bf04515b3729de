import type { HttpExchange, HttpRequest } from '../../wire/index.ts'

/** A request, without credentials, that removes what a run created or restores what it changed. */
export interface Undo {
  readonly method: string
  readonly url: string
  /** The JSON value that is sent; undefined if the request has no body. */
  readonly body?: unknown
  /** What the request removes, for people; by default, the request itself is shown. */
  readonly name?: string
  /** A string that occurs only in what the request deletes; undefined if unknown. */
  readonly mark?: string
}

/** A request that creates something. */
export interface Creation {
  readonly method: string
  readonly url: string
  /** A string that occurs in what the request creates, and in nothing that existed before. */
  readonly mark: string
}

/**
 * The list of what a run creates and changes at a target. Each entry is written before its request
 * is sent, so that a later run of the suite can clean up if this one is killed.
 */
export interface Journal {
  /** Notes a creation before its request is sent. Returns the key of the creation. */
  begin(creation: Creation): string
  /** Notes how a creation ended: nothing was created, or `undo` removes what was created. */
  end(creation: string, undo?: Undo): void
  /** Notes a change before its request is sent. */
  change(undo: Undo): void
  /** Notes that a creation or change was undone. */
  undone(undo: Pick<Undo, 'method' | 'url'>): void
}

let unkept = 0

/**
 * A journal that keeps nothing, for runs that write no files, and for targets that are discarded
 * after the run. Each creation still has a different key, because the clean-up of the run uses the
 * keys.
 */
export const noJournal: Journal = {
  begin: () => String((unkept += 1)),
  end: () => {},
  change: () => {},
  undone: () => {},
}

/** What runs of the suite left at a server, because they were killed or could not remove it. */
export interface Leftovers {
  readonly undos: readonly Undo[]
  /** Creations whose requests got no complete response, by their keys. */
  readonly unanswered: ReadonlyMap<string, Creation>
}

/** Why nothing was done about something that a run left. */
export const notOfTarget = 'no request was sent, because the target file names another server'

/** Notes the creations of an HTTP client in a journal. */
export class Creations {
  /** Creations whose requests got no complete response, by their keys. */
  readonly unanswered = new Map<string, Creation>()
  private readonly keys = new WeakMap<HttpRequest, string[]>()
  private readonly journal: Journal

  constructor(journal: Journal) {
    this.journal = journal
  }

  /** Call it before a request that creates something. `mark` is as in `Creation`. */
  begin(request: HttpRequest, mark: string): void {
    const { method, url } = request
    const key = this.journal.begin({ method, url, mark })
    this.unanswered.set(key, { method, url, mark })
    // The same request can be sent several times.
    this.keys.set(request, [...(this.keys.get(request) ?? []), key])
  }

  /** Call it with the exchange of that request. `undo` removes what the request created. */
  end({ request, status, unreachable }: HttpExchange, undo?: Undo): void {
    const key = this.keys.get(request)?.shift()
    // Without a complete response, the server may have created something.
    if (key === undefined || (status === undefined && unreachable === undefined)) return
    const mark = this.unanswered.get(key)?.mark
    this.endOf(key, undo === undefined || mark === undefined ? undo : { ...undo, mark })
  }

  /** Ends a creation that had no complete response. */
  endOf(key: string, undo?: Undo): void {
    this.unanswered.delete(key)
    this.journal.end(key, undo)
  }
}
