import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { clockOf, type Json } from '../../engine/index.ts'
import { McpClient, type McpClientOptions } from '../mcp.ts'

import type { StdioServer } from './api.ts'
import type { ProcessEnd } from './process.ts'

// Helpers of the MCP tests. `afterEach(endAll)` closes what a test started.
const closers: (() => Promise<unknown> | unknown)[] = []
export async function endAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

/** A client with a timeout of 10 s on a clock that runs 20 times as fast as real time. */
export function newTestClient(
  access: McpClientOptions['access'],
  more: Partial<McpClientOptions> = {},
): McpClient {
  const client = McpClient.open({ access, clock: clockOf(20), ...more })
  closers.push(() => client.close())
  return client
}

/** A request that a test server received. */
export interface SmallRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  text: string
  /** The body, if it is an object. */
  json: Json
  response: ServerResponse
  /** Responds with JSON. */
  reply(value: unknown, status?: number, headers?: Record<string, string>): void
  /** Starts an event stream. Returns a function that sends messages on it. */
  stream(headers?: Record<string, string>): (value: unknown) => void
}

/** Starts a web server with this handler; returns its origin. */
export async function served(handle: (request: SmallRequest) => unknown): Promise<string> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    response.on('error', () => {})
    incoming.on('error', () => {})
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const text = Buffer.concat(chunks).toString()
        let json: unknown
        try {
          json = JSON.parse(text)
        } catch {
          json = {}
        }
        handle({
          method: incoming.method!,
          url: incoming.url!,
          headers: incoming.headers,
          text,
          json: json as Json,
          response,
          reply: (value, status = 200, headers = {}) =>
            void response
              .writeHead(status, { 'Content-Type': 'application/json', ...headers })
              .end(JSON.stringify(value)),
          stream: (headers = {}) => {
            response
              .writeHead(200, { 'Content-Type': 'text/event-stream', ...headers })
              .flushHeaders()
            return (value) =>
              void response.write(`event: message\ndata: ${JSON.stringify(value)}\n\n`)
          },
        })
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A replacement for a subprocess. */
export interface SmallProcess {
  /** Writes to the output: strings as they are, everything else as a line of JSON. */
  say(what: unknown): void
  end(how?: ProcessEnd): void
}

/**
 * A target whose subprocess is replaced by functions. `line` is called with each line of the input,
 * and `inputClosed` when the input is closed. By default, `inputClosed` ends the process.
 */
export function piped(
  line: (json: Json, process: SmallProcess, text: string) => void,
  inputClosed: (process: SmallProcess) => void = ({ end }) => end({ code: 0 }),
): StdioServer {
  return {
    connect: () => {
      const [input, output] = [new PassThrough(), new PassThrough()]
      let end: SmallProcess['end'] = () => {}
      const closed = new Promise<ProcessEnd>(
        (resolve) => (end = (how = { code: 0 }) => resolve(how)),
      )
      const process: SmallProcess = {
        say: (what) =>
          void output.write(typeof what === 'string' ? what : `${JSON.stringify(what)}\n`),
        end: (how) => end(how),
      }
      let rest = ''
      input.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n')
        rest = lines.pop()!
        for (const text of lines)
          line(
            text.startsWith('{') && text.endsWith('}') ? (JSON.parse(text) as Json) : {},
            process,
            text,
          )
      })
      input.on('end', () => inputClosed(process))
      return {
        input,
        output,
        closed,
        close: (force) => end({ signal: force === true ? 'SIGKILL' : 'SIGTERM' }),
      }
    },
  }
}

export const result = (id: unknown, value: object = {}) => ({ jsonrpc: '2.0', id, result: value })
export const failed = (id: unknown, code: number, message = 'no') => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
export const note = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params })
export const ask = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
