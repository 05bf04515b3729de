import { isObject } from '../../../engine/index.ts'
import type { FakeUpstream, ResourceState, UpstreamRequest } from '../../../wire/index.ts'
import { parseJson } from '../../../wire/mcp/framing.ts'
import type { ObservedRequest } from './plain-calls.ts'
import { observeRequests } from './upstream-request.ts'

/** The effects of a call at the upstream. */
interface Effects<Result> {
  readonly result: Result
  readonly requests: readonly UpstreamRequest[]
  /** The requests that created something. */
  readonly creations: readonly UpstreamRequest[]
  /** The requests that changed something which an earlier call did not change. */
  readonly otherChanges: readonly UpstreamRequest[]
}

/** Whether a request is a POST with status 201. Some frameworks return 201 to every POST. */
export const mayCreate = ({
  method,
  status,
}: Pick<ObservedRequest, 'method' | 'status'>): boolean => method === 'POST' && status === 201

interface EffectOptions {
  readonly upstream: FakeUpstream
  /** The timeout of each read at the real upstream, in milliseconds. */
  readonly timeout: number
  wait(milliseconds: number): Promise<void>
}

/**
 * Makes a call, and finds its effects at the upstream. `before` are the requests of an earlier call
 * with the same arguments. No other call may run at the same time.
 */
export async function readEffects<Result>(
  options: EffectOptions,
  before: readonly ObservedRequest[],
  call: () => Promise<Result>,
): Promise<Effects<Result>> {
  const { upstream, timeout } = options
  const { result, requests } = await observeRequests(upstream, () =>
    upstream.withStates(timeout, call),
  )
  const known = new Set(before.filter(({ method }) => method !== 'GET').map(({ path }) => path))
  const creations: UpstreamRequest[] = []
  const otherChanges: UpstreamRequest[] = []
  for (const request of requests) {
    if (await hasCreated(options, request)) creations.push(request)
    const { path } = request
    // The state before the first change of a path is its state before the call.
    const first = requests.find((one) => one.path === path && one.stateBefore !== undefined)
    if (first === request && !known.has(path) && (await hasChanged(options, request)))
      otherChanges.push(request)
  }
  return { result, requests, creations, otherChanges }
}

/**
 * Whether a request created a resource: the response has status 201, and either the header Location
 * (RFC 9110 §15.3.2) or an `id` at which a GET request finds a resource with this id.
 */
async function hasCreated(
  { upstream, timeout }: EffectOptions,
  request: UpstreamRequest,
): Promise<boolean> {
  if (!mayCreate(request)) return false
  if (request.location !== undefined) return true
  const id = idIn(request.createdBody)
  if (id === undefined) return false
  const path = `${request.path.replace(/\/$/, '')}/${encodeURIComponent(id)}`
  const state = await upstream.readState(request, path, timeout)
  return state?.status === 200 && idIn(state.body) === id
}

/** The member `id` of a JSON object. */
function idIn(body: string | undefined): string | undefined {
  const json = parseJson(body ?? '')?.value
  const id = isObject(json) ? json['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/**
 * Whether a request created, changed or deleted the resource at its path. Reads a changed resource
 * again after a pause, because its representation may contain the current time, for example.
 */
async function hasChanged(
  { upstream, timeout, wait }: EffectOptions,
  request: UpstreamRequest,
): Promise<boolean> {
  const read = () => upstream.readState(request, request.path, timeout)
  const { stateBefore: before } = request
  const after = await read()
  const [wasThere, isThere] = [before, after].map(isExisting)
  if (wasThere === undefined || isThere === undefined) return false
  if (wasThere !== isThere) return true
  if (!isThere || before!.body === after!.body) return false
  await wait(pause)
  return (await read())?.body === after!.body
}

/** The pause between two reads of a resource in milliseconds: longer than a second. */
const pause = 1500

/** Whether a resource exists. Undefined if its status does not say so. */
const isExisting = (state: ResourceState | undefined): boolean | undefined =>
  state?.status === 200 ? true : state?.status === 404 || state?.status === 410 ? false : undefined
