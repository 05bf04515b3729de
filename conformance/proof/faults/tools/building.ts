import type { IncomingMessage, ServerResponse } from 'node:http'
import { newKit, type Hit, type Unchanged } from '../../../../mocks/kit/kit.ts'
import {
  defaultRules,
  isResponse,
  type Definition,
  type JsonRpc,
  type DeviationPoints,
  type ToolResult,
  type ToolsRules,
  type ToolCall,
  type TransportName,
  type MessageSource,
} from '../../../../mocks/stateful/tools.ts'
import { faultFactory } from '../fault.ts'
import type { ToolsDeviation, ToolsFault } from './fault.ts'

// What most faults are built from. Where `hit` is not called by whoever uses one of these, it is called whenever something changed.

export type MakeToolsDeviation = ToolsFault['make']
/** Stands at places that tool servers have, whoever may use them. */
export type Stand = (hit: Hit) => DeviationPoints

export const fault = faultFactory<ToolsDeviation>()

const kit = newKit<ToolCall, ToolResult, ToolsRules>(defaultRules)
export const { onRequest, replaceRules } = kit

/** The same server, judged over these transports; over streamable HTTP alone where a fault does not say. */
export function over(
  transports: readonly TransportName[],
  make: MakeToolsDeviation,
): MakeToolsDeviation {
  return (hit) => {
    const deviation = make(hit)
    return { ...deviation, choices: { ...deviation.choices, transports } }
  }
}

/** Changes entries of `tools/list`; nothing given back leaves one as it is. */
export function defines(change: (definition: Definition) => Definition | Unchanged): Stand {
  return (hit) => ({
    definition(definition) {
      const changed = change(structuredClone(definition))
      if (changed === undefined) return definition
      hit()
      return changed
    },
  })
}

/** Wraps calls in front of validation. */
export function before(
  deviate: (call: ToolCall, next: () => Promise<ToolResult>, hit: Hit) => Promise<ToolResult>,
): Stand {
  return (hit) => ({ before: (call, next) => deviate(call, next, hit) })
}

/** Changes the results of calls, each a copy; nothing given back leaves one as it is. */
export const onReply = (
  change: (result: ToolResult, call: ToolCall) => ToolResult | Unchanged,
): Stand => kit.onReply((result, call) => change(structuredClone(result), call))

/** Changes the text of results, each part of it; the same text leaves it as it is. */
export function texts(change: (text: string, call: ToolCall) => string): Stand {
  return onReply((result, call) => {
    let isChanged = false
    const content = result.content.map((part) => {
      if (typeof part.text !== 'string') return part
      const text = change(part.text, call)
      isChanged ||= text !== part.text
      return { ...part, text }
    })
    return isChanged ? { ...result, content } : undefined
  })
}

/** Changes the members of results in json, at the top of the object; nothing given back leaves one as it is. Structured content follows. */
export function members(
  change: (members: Record<string, unknown>, call: ToolCall) => Record<string, unknown> | Unchanged,
): Stand {
  return onReply((result, call) => {
    const text = result.content[0]?.text
    const read = text === undefined ? undefined : objectOf(text)
    const changed = read === undefined ? undefined : change(read, call)
    if (changed === undefined) return undefined
    const structured = result.structuredContent === undefined ? {} : { structuredContent: changed }
    return {
      ...result,
      content: [{ type: 'text', text: JSON.stringify(changed, null, 2) }],
      ...structured,
    }
  })
}

function objectOf(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** A request and what is known of it when it is answered. */
interface Asked {
  method: string
  params: Readonly<Record<string, unknown>>
  where: MessageSource
}

/** Changes responses, knowing what they answer. The same message leaves it as it is; undefined leaves a request without an answer. */
export function onMessage(
  change: (response: JsonRpc, asked: Asked) => JsonRpc | JsonRpc[] | undefined,
): Stand {
  return (hit) => {
    const asked = new Map<string, Asked>()
    return {
      message(direction, message, where) {
        // Of one session an id names one request; without sessions it is as unique as clients make it.
        const key = JSON.stringify([where.session, message['id']])
        const early = JSON.stringify([undefined, message['id']])
        if (direction === 'in') {
          const { method, params } = message
          if (typeof method === 'string' && 'id' in message)
            asked.set(key, { method, params: (params ?? {}) as Asked['params'], where })
          return message
        }
        const request = asked.get(key) ?? asked.get(early)
        if (!isResponse(message) || request === undefined) return message
        const changed = change(message, request)
        if (changed !== message) hit()
        return changed
      },
    }
  }
}

/** Changes the results of one method; nothing given back leaves one as it is. */
export function resultsOf(
  method: string,
  change: (
    result: Record<string, unknown>,
    params: Asked['params'],
  ) => Record<string, unknown> | Unchanged,
): Stand {
  return onMessage((response, asked) => {
    if (asked.method !== method || !('result' in response)) return response
    const changed = change(
      structuredClone(response['result'] as Record<string, unknown>),
      asked.params,
    )
    return changed === undefined ? response : { ...response, result: changed }
  })
}

/** Changes what the server sends unasked: notifications and requests of its own. Undefined: it is not sent. */
export function unasked(
  change: (message: JsonRpc, where: MessageSource) => JsonRpc | JsonRpc[] | undefined,
): Stand {
  return (hit) => ({
    message(direction, message, where) {
      if (direction === 'in' || isResponse(message)) return message
      const changed = change(message, where)
      if (changed !== message) hit()
      return changed
    },
  })
}

/** Stands before the HTTP server. Where it gives true it has answered alone. */
export function door(
  deviate: (
    request: IncomingMessage,
    response: ServerResponse,
    hit: Hit,
  ) => boolean | void | Promise<boolean | void>,
): Stand {
  return (hit) => ({
    intercept(request, response, next) {
      const done = deviate(request, response, hit)
      if (done instanceof Promise) void done.then((alone) => alone === true || next())
      else if (done !== true) next()
    },
  })
}

/** The path of a request, without its query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0]!

/** Changes status and headers of an answer, just before they go out. Gives `undefined` to leave them. */
export function changesHead(
  response: ServerResponse,
  change: (
    status: number,
    headers: Record<string, string>,
  ) => { status: number; headers: Record<string, string> } | Unchanged,
): void {
  const write = response.writeHead.bind(response) as (
    status: number,
    headers: Record<string, string>,
  ) => ServerResponse
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    const given = rest.find((one) => typeof one === 'object' && one !== null)
    const own = Array.isArray(given)
      ? pairsOf(given)
      : Object.entries((given ?? {}) as Record<string, unknown>)
    const headers = Object.fromEntries(
      [...Object.entries(response.getHeaders()), ...own].map(([name, value]) => [
        name.toLowerCase(),
        String(value),
      ]),
    )
    const changed = change(status, headers)
    if (changed === undefined) return write(status, headers)
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    return write(changed.status, changed.headers)
  }) as typeof response.writeHead
}

function pairsOf(flat: readonly unknown[]): [string, unknown][] {
  if (Array.isArray(flat[0])) return flat as [string, unknown][]
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[String(name), flat[index + 1]] as [string, unknown]] : [],
  )
}

/** What has been read of a request's body up to the moment in which it is asked for. */
export function bodyOf(request: IncomingMessage): () => string {
  const chunks: Buffer[] = []
  const push = request.push.bind(request) as (
    chunk: Buffer | null,
    encoding?: BufferEncoding,
  ) => boolean
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk !== null) chunks.push(chunk)
    return push(chunk, encoding)
  }
  return () => Buffer.concat(chunks).toString()
}
