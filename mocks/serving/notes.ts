import type { IncomingMessage } from 'node:http'
import type { RequirementId } from '../../generated/requirements/index.ts'

/** What a mock knows about a request, for the request log. */
export interface RequestNotes {
  /** What a client calls over MCP, such as `tools/call shelf_get_book`. */
  call?: string
  /** The event of a received delivery, as in X-Hook-Event. */
  event?: string | undefined
  /** Why the request is refused, if the response is a page for people. */
  reason?: string
  /** Set if the mock lets the request fail because of an option. */
  injected?: '--failure-rate'
  /** What the mock ignores: fields, or a header `Prefer`, and which preferences it knows. */
  ignored?: string
  /** The requirement according to which the request is refused. */
  requirement?: RequirementId | undefined
}

const notesOf = new WeakMap<IncomingMessage, RequestNotes>()

/** Collects notes about a request from now on. */
export function collectNotes(request: IncomingMessage): RequestNotes {
  const notes: RequestNotes = {}
  notesOf.set(request, notes)
  return notes
}

/** Adds something that the mock ignores to the notes about a request. */
export function noteIgnored(request: IncomingMessage, ignored: string): void {
  const known = notesOf.get(request)
  if (known !== undefined)
    known.ignored = known.ignored === undefined ? ignored : `${known.ignored}; ${ignored}`
}

/** Adds notes about a request. Does nothing unless `collectNotes` was called. */
export function note(request: IncomingMessage, notes: RequestNotes): void {
  const known = notesOf.get(request)
  if (known !== undefined) Object.assign(known, notes)
}
