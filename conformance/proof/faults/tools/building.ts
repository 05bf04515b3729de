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

// Building blocks for the faults of tool servers. If a callback does not receive `hit`, each change
// that it makes is counted as a hit.

export type MakeToolsDeviation = ToolsFault['make']
/**
 * Makes a deviation that any server based on the tool server can have, with or without
 * authentication.
 */
export type MakeDeviationPoints = (hit: Hit) => DeviationPoints

export const fault = faultFactory<ToolsDeviation>()

const kit = newKit<ToolCall, ToolResult, ToolsRules>(defaultRules)
export const { onRequest, replaceRules } = kit

/** Tests the server over these transports; the default is Streamable HTTP. */
export function over(
  transports: readonly TransportName[],
  make: MakeToolsDeviation,
): MakeToolsDeviation {
  return (hit) => {
    const deviation = make(hit)
    return { ...deviation, choices: { ...deviation.choices, transports } }
  }
}

/** Changes tool definitions. If `change` returns undefined, the definition is not changed. */
export function onDefinition(
  change: (definition: Definition) => Definition | Unchanged,
): MakeDeviationPoints {
  return (hit) => ({
    definition(definition) {
      const changed = change(structuredClone(definition))
      if (changed === undefined) return definition
      hit()
      return changed
    },
  })
}

/** Wraps calls before their input is validated. */
export function beforeValidation(
  deviate: (call: ToolCall, next: () => Promise<ToolResult>, hit: Hit) => Promise<ToolResult>,
): MakeDeviationPoints {
  return (hit) => ({ aroundValidation: (call, next) => deviate(call, next, hit) })
}

/**
 * Changes the results of calls. `change` receives a copy. If it returns undefined, the result is
 * not changed.
 */
export const onReply = (
  change: (result: ToolResult, call: ToolCall) => ToolResult | Unchanged,
): MakeDeviationPoints => kit.onReply((result, call) => change(structuredClone(result), call))

/** Changes the text of every content block of results. */
export function onText(change: (text: string, call: ToolCall) => string): MakeDeviationPoints {
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

/**
 * Changes the top-level members of JSON results, in the text and in the structured content. If
 * `change` returns undefined, the result is not changed.
 */
export function onJsonResult(
  change: (members: Record<string, unknown>, call: ToolCall) => Record<string, unknown> | Unchanged,
): MakeDeviationPoints {
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

/** The request that a response belongs to. */
interface AnsweredRequest {
  method: string
  params: Readonly<Record<string, unknown>>
  where: MessageSource
}

/** Changes responses, depending on their requests. A response changed to undefined is dropped. */
export function onMessage(
  change: (response: JsonRpc, request: AnsweredRequest) => JsonRpc | JsonRpc[] | undefined,
): MakeDeviationPoints {
  return (hit) => {
    const requests = new Map<string, AnsweredRequest>()
    return {
      message(direction, message, where) {
        // Ids are unique within a session. Without sessions, they are unique only if the clients
        // choose unique ids.
        const key = JSON.stringify([where.session, message['id']])
        const keyWithoutSession = JSON.stringify([undefined, message['id']])
        if (direction === 'in') {
          const { method, params } = message
          if (typeof method === 'string' && 'id' in message)
            requests.set(key, {
              method,
              params: (params ?? {}) as AnsweredRequest['params'],
              where,
            })
          return message
        }
        const request = requests.get(key) ?? requests.get(keyWithoutSession)
        if (!isResponse(message) || request === undefined) return message
        const changed = change(message, request)
        if (changed !== message) hit()
        return changed
      },
    }
  }
}

/** Changes the results of one method. If `change` returns undefined, the result is not changed. */
export function onResult(
  method: string,
  change: (
    result: Record<string, unknown>,
    params: AnsweredRequest['params'],
  ) => Record<string, unknown> | Unchanged,
): MakeDeviationPoints {
  return onMessage((response, request) => {
    if (request.method !== method || !('result' in response)) return response
    const changed = change(
      structuredClone(response['result'] as Record<string, unknown>),
      request.params,
    )
    return changed === undefined ? response : { ...response, result: changed }
  })
}

/** Changes notifications and requests of the server. A message changed to undefined is dropped. */
export function onServerMessage(
  change: (message: JsonRpc, where: MessageSource) => JsonRpc | JsonRpc[] | undefined,
): MakeDeviationPoints {
  return (hit) => ({
    message(direction, message, where) {
      if (direction === 'in' || isResponse(message)) return message
      const changed = change(message, where)
      if (changed !== message) hit()
      return changed
    },
  })
}

/** Intercepts HTTP requests. `deviate` returns true if it has responded itself. */
export function onHttpRequest(
  deviate: (
    request: IncomingMessage,
    response: ServerResponse,
    hit: Hit,
  ) => boolean | void | Promise<boolean | void>,
): MakeDeviationPoints {
  return (hit) => ({
    intercept(request, response, next) {
      const done = deviate(request, response, hit)
      if (done instanceof Promise) void done.then((hasResponded) => hasResponded === true || next())
      else if (done !== true) next()
    },
  })
}

/** The path of a request, without its query. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0]!

/** Whether the bundled mock does not know a method. */
export const isUnknownMethod = (method: string): boolean =>
  !/^(tools\/(list|call)|resources\/|logging\/|initialize|ping)/.test(method)

/**
 * Changes status and headers of a response just before they are sent. If `change` returns
 * undefined, they are not changed.
 */
export function changeHead(
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
    const passed = rest.find((one) => typeof one === 'object' && one !== null)
    const own = Array.isArray(passed)
      ? pairsOf(passed)
      : Object.entries((passed ?? {}) as Record<string, unknown>)
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

/** Returns a function that returns the part of the request's body that has arrived so far. */
export function captureBody(request: IncomingMessage): () => string {
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
