import { Agent, request as send } from 'node:http'
import type { ToolsClock } from './clock.ts'
import { UpstreamFailure } from './kit/failures.ts'
import type { ToolsRules } from './rules.ts'

/** The API behind the tools. Its address may change between two requests. */
export interface LibraryApi {
  /** Its own address, of the start of the server. */
  readonly home: string
  url: string
  /** Gives the JSON of an answer with a status of success; undefined where it has no body. Everything else throws. */
  ask(method: string, path: string, given?: Asked): Promise<unknown>
  close(): Promise<void>
}

interface Asked {
  body?: unknown
  signal?: AbortSignal
}

/** More than any answer of the library has, in bytes. */
const mostBytes = 16 * 1024 * 1024

export function newUpstream(
  home: string,
  clock: ToolsClock,
  rules: ToolsRules,
  ended: () => Promise<void>,
): LibraryApi {
  const agent = new Agent({ keepAlive: true })
  const upstream: LibraryApi = {
    home,
    url: home,
    async ask(method, path, given = {}) {
      const { status, text } = await exchange(
        agent,
        `${upstream.url.replace(/\/$/, '')}${path}`,
        method,
        given,
        clock,
        rules.upstreamTimeoutMs,
      )
      if (status < 200 || status > 299) throw new UpstreamFailure({ kind: 'status', status })
      return text === '' ? undefined : (JSON.parse(text) as unknown)
    },
    async close() {
      agent.destroy()
      await ended()
    },
  }
  return upstream
}

/** One request, until the last byte of its answer or until its time is over. */
function exchange(
  agent: Agent,
  url: string,
  method: string,
  { body, signal }: Asked,
  clock: ToolsClock,
  timeoutMs: number,
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
    const stop = clock.after(timeoutMs, () => fail(new UpstreamFailure({ kind: 'timeout' })))
    const cancelled = () => fail(new Error('the call was cancelled'))
    const settle = () => {
      stop()
      signal?.removeEventListener('abort', cancelled)
    }
    const fail = (error: unknown) => {
      settle()
      request.destroy()
      reject(error as Error)
    }
    signal?.addEventListener('abort', cancelled, { once: true })
    request.on('error', fail)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > mostBytes) fail(new RangeError('the answer is too large'))
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
