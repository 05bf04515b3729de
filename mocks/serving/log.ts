import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequirementId } from '../../generated/requirements/index.ts'
import { collectNotes } from './notes.ts'
import { requestedStatus } from './prefer.ts'
import { captureReason, reasonIn } from './reason.ts'

/** A line of the request log. It contains no header, no body and no secret. */
export interface RequestEntry {
  /** When the request arrived, as an ISO 8601 timestamp. */
  at: string
  /** The mock, with its host if it has several, such as `images/upload`. */
  server: string
  /** The method of the request; undefined over standard input and output. */
  method?: string
  /** The path; in its query, only the values of page and per_page are shown. */
  path?: string
  /** What a client calls over MCP, such as `tools/call shelf_get_book`. */
  call?: string
  /** The event of a received delivery, as in its header X-Hook-Event. */
  event?: string
  /** The status of the response; null if the client disconnected before it began. */
  status?: number | null
  /**
   * The status of gRPC, such as `UNAUTHENTICATED`; `CANCELLED` if the client left during the
   * response.
   */
  grpc?: string
  /** The time from the request to the end of its response, in milliseconds. */
  ms: number
  /** Only for a delivery that a mock sends: its event, hook, number of attempts, and receiver. */
  delivery?: string
  hook?: number | string
  attempt?: number
  to?: string
  /** What caused a failure that was requested: the option, or the header `Prefer` of the client. */
  injected?: InjectedBy
  /** What the mock ignores: fields, or a header `Prefer`, and which preferences it knows. */
  ignored?: string
  /** Why the request failed. */
  reason?: string
  /** The requirement according to which the request is refused. */
  requirement?: RequirementId
}

export type InjectedBy = '--failure-rate' | 'Prefer'

export type RequestListener = (entry: RequestEntry) => void

/** The reason of a request whose client left before the response began. */
export const disconnected = 'the client disconnected'

/** Replaces a secret in the log. */
export const hidden = '…'

/** Calls `listener` once the response to this request has ended, or its connection is closed. */
export function logRequest(
  request: IncomingMessage,
  response: ServerResponse,
  {
    server,
    listener,
    hidePath,
    canInject,
  }: {
    server: string
    listener: RequestListener
    /** Hides the secrets of a path. */
    hidePath: (path: string) => string
    /** Whether the server returns failures on request. */
    canInject: boolean
  },
): void {
  const [began, at] = [performance.now(), new Date().toISOString()]
  const { method = 'GET', url = '/' } = request
  const path = pathForLog(url, hidePath)
  const notes = collectNotes(request)
  const reasonOf = captureReason(response)
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : null
    const reason =
      status === null
        ? disconnected
        : (notes.reason ?? reasonOf())?.replaceAll(url.split('?', 1)[0]!, path.split('?', 1)[0]!)
    const isRequested =
      canInject &&
      status !== null &&
      status >= 400 &&
      requestedStatus(request.headers['prefer']?.toString()) === status
    listener({
      at,
      server,
      method,
      path,
      ...(notes.call === undefined ? {} : { call: printable(notes.call) }),
      ...(notes.event === undefined ? {} : { event: printable(notes.event) }),
      status,
      ms: millisecondsSince(began),
      ...(isRequested ? { injected: notes.injected ?? 'Prefer' } : {}),
      ...(notes.ignored === undefined ? {} : { ignored: printable(notes.ignored) }),
      ...(reason === undefined ? {} : { reason: printable(reason) }),
      ...(notes.requirement === undefined ? {} : { requirement: notes.requirement }),
    })
  })
}

/** An attempt of a mock to deliver an event. */
export interface DeliveryAttempt {
  server: string
  event: string
  hook: { id: number | string; token: string | undefined }
  attempt: number
  url: string
  status: number | null
  ms: number
  /** The body of the response. */
  body: string
  /** Why there was no response. */
  failure: string | undefined
}

/** Returns the line of the request log for a delivery, without the secret of the hook. */
export function deliveryEntry(sent: DeliveryAttempt): RequestEntry {
  const { server, event, hook, attempt, url, status, ms, body, failure } = sent
  const refused = status !== null && status >= 300 ? reasonIn(body) : undefined
  const reason = failure ?? refused
  const withoutToken = (text: string) =>
    hook.token === undefined || hook.token === '' ? text : text.replaceAll(hook.token, hidden)
  return {
    at: new Date().toISOString(),
    server,
    delivery: event,
    hook: hook.id,
    attempt,
    to: printable(withoutToken(urlForLog(url))),
    status,
    ms: Math.round(ms * 10) / 10,
    ...(reason === undefined ? {} : { reason: printable(withoutToken(reason)) }),
  }
}

/** Returns a URL without credentials and without the values of its query. */
function urlForLog(url: string): string {
  if (!URL.canParse(url)) return hidden
  const { origin, pathname, search } = new URL(url)
  return origin + pathForLog(pathname + search, (path) => path)
}

/** The milliseconds since `began`, with one decimal. */
export const millisecondsSince = (began: number): number =>
  Math.round((performance.now() - began) * 10) / 10

const shownParameters = ['page', 'per_page']

/** Returns a path and its query without secrets. A query may contain codes and signatures. */
function pathForLog(url: string, hidePath: (path: string) => string): string {
  const queryStart = url.indexOf('?')
  const path = hidePath(queryStart < 0 ? url : url.slice(0, queryStart))
  if (queryStart < 0) return printable(path)
  const query = url
    .slice(queryStart + 1)
    .split('&')
    .map((pair) => {
      const [name = '', value] = pair.split('=', 2)
      if (value === undefined) return hidden
      return shownParameters.includes(name) ? pair : `${name}=${hidden}`
    })
    .join('&')
  return printable(`${path}?${query}`)
}

/** The maximum length of a string in the log. */
const maxTextLength = 300

/** Replaces characters that could control a terminal, and shortens long text. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�').slice(0, maxTextLength)
