import { Agent, request as send } from 'node:http'
import type { ToolsClock } from './clock.ts'
import { UpstreamFailure } from './kit/failures.ts'
import type { ToolsRules } from './rules.ts'

/** The upstream API of the tools. Its URL may change between requests. */
export interface LibraryApi {
  /** The initial URL. */
  readonly initialUrl: string
  url: string
  /**
   * Returns the JSON of a successful response; undefined if it has no body. Throws in all other
   * cases.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>
  close(): Promise<void>
}

interface RequestOptions {
  body?: unknown
  signal?: AbortSignal
}

/** The maximum size of a response in bytes. */
const maxResponseBytes = 16 * 1024 * 1024

export function newUpstream(
  initialUrl: string,
  clock: ToolsClock,
  rules: ToolsRules,
  onClose: () => Promise<void>,
): LibraryApi {
  const agent = new Agent({ keepAlive: true })
  const upstream: LibraryApi = {
    initialUrl,
    url: initialUrl,
    async request(method, path, options = {}) {
      const { status, text } = await exchange(
        agent,
        `${upstream.url.replace(/\/$/, '')}${path}`,
        method,
        options,
        clock,
        rules,
      )
      if (status < 200 || status > 299) throw new UpstreamFailure({ kind: 'status', status })
      return text === '' ? undefined : (JSON.parse(text) as unknown)
    },
    async close() {
      agent.destroy()
      await onClose()
    },
  }
  return upstream
}

/** Sends one request and reads its whole response, within the timeout. */
function exchange(
  agent: Agent,
  url: string,
  method: string,
  { body, signal }: RequestOptions,
  clock: ToolsClock,
  rules: ToolsRules,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const request = send(url, {
      method,
      agent,
      headers: {
        accept: 'application/json',
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      },
    })
    const stop = clock.after(rules.upstreamTimeoutMs, () =>
      fail(new UpstreamFailure({ kind: 'timeout' })),
    )
    const onCancel = () => fail(new Error('the call was cancelled'))
    const settle = () => {
      stop()
      signal?.removeEventListener('abort', onCancel)
    }
    const fail = (error: unknown) => {
      settle()
      request.destroy()
      reject(error as Error)
    }
    signal?.addEventListener('abort', onCancel, { once: true })
    request.on('error', fail)
    request.on('response', (response) => {
      if (!rules.upstreamTimeoutCoversBody) stop()
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxResponseBytes) fail(new RangeError('the response is too large'))
        else chunks.push(chunk)
      })
      response.on('error', fail)
      response.on('end', () => {
        settle()
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
      })
    })
    request.end(payload)
  })
}
