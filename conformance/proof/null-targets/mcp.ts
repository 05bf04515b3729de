import type { Socket } from 'node:net'
import type { NullTarget } from './common.ts'

/**
 * Calls `handle` for each HTTP request as soon as its body is received. Only bodies with a length
 * in the headers are read.
 */
export const onHttpRequest =
  (
    handle: (socket: Socket, body: string, head: string) => void,
  ): NonNullable<NullTarget['serve']> =>
  (socket) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end)
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
        if (received.length < end + 4 + length) return
        const body = received.slice(end + 4, end + 4 + length)
        received = received.slice(end + 4 + length)
        handle(socket, body, head)
      }
    })
  }

export const writeJson = (socket: Socket, status: string, body: string) =>
  void socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )

/** The id of a JSON-RPC request, as it was sent; null if there is none. */
function requestIdOf(body: string): string {
  return /"id":("[^"]*"|-?\d+)/.exec(body)?.[1] ?? 'null'
}

const alwaysReply = (members: string) =>
  onHttpRequest((socket, body) =>
    writeJson(socket, '200 OK', `{"jsonrpc":"2.0","id":${requestIdOf(body)},${members}}`),
  )

const programTarget = (description: string, name: string, code: string): NullTarget => ({
  name,
  description,
  target: { tools: { stdio: { command: process.execPath, args: ['-e', code] } } },
})

/** Null targets of tool servers. */
export const mcpNullTargets: readonly NullTarget[] = [
  {
    name: 'constant 202',
    description: 'returns 202 without a body to every request',
    serve: onHttpRequest(
      (socket) => void socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'),
    ),
  },
  {
    name: 'constant 401',
    description: 'returns 401 to every request',
    serve: onHttpRequest((socket) =>
      writeJson(socket, '401 Unauthorized', '{"error":"unauthorized"}'),
    ),
  },
  {
    name: 'constant 404',
    description: 'returns 404 with a JSON-RPC error to every request',
    serve: onHttpRequest((socket) =>
      writeJson(
        socket,
        '404 Not Found',
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no such session"}}',
      ),
    ),
  },
  {
    name: 'echo of bodies',
    description: 'returns every message unchanged',
    serve: onHttpRequest((socket, body) => writeJson(socket, '200 OK', body)),
  },
  {
    name: 'an error for everything',
    description: 'returns an error with the id of the request',
    serve: alwaysReply('"error":{"code":-32603,"message":"internal error"}'),
  },
  {
    name: 'method not found for everything',
    description: 'returns the error -32601 with the id of the request',
    serve: alwaysReply('"error":{"code":-32601,"message":"method not found"}'),
  },
  {
    name: 'an empty result for everything',
    description: 'returns an empty result with the id of the request',
    serve: alwaysReply('"result":{}'),
  },
  {
    name: 'streams without events',
    description: 'opens an event stream without events for every request',
    serve: onHttpRequest(
      (socket) =>
        void socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
        ),
    ),
  },
  programTarget('a program that exits', 'exits immediately', 'process.exit(0)'),
  programTarget(
    'a program that prints noise',
    'prints lines that are not messages',
    'setInterval(() => console.log("starting, please wait"), 20); process.stdin.on("end", () => process.exit()).resume()',
  ),
  programTarget(
    'a program that never responds',
    'reads and never responds',
    'process.stdin.on("end", () => process.exit()).resume()',
  ),
  programTarget(
    'a program that prints half a message',
    'starts a line and never ends it',
    'process.stdout.write(\'{"jsonrpc":"2.0","id":1,"res\'); process.stdin.on("end", () => process.exit()).resume()',
  ),
  programTarget(
    'a program that echoes',
    'prints every line that it reads',
    'process.stdin.pipe(process.stdout)',
  ),
  {
    name: 'no such program',
    description: 'cannot be started',
    target: { tools: { stdio: { command: './there-is-no-such-program' } } },
  },
]
