import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Target } from '../../target.ts'

/** A target that implements nothing. No check may pass. */
export interface NullTarget {
  readonly name: string
  readonly description: string
  /** Handles a connection; undefined if the port is closed. */
  readonly serve?: (socket: Socket, stopped: () => boolean) => void
  /** Changes the target file of the null target, in which every key is set. */
  readonly adapt?: (target: Omit<Target, 'suite'>) => Omit<Target, 'suite'>
  /**
   * The target file, if the null target is a program that the suite starts and not a server at an
   * address.
   */
  readonly target?: Omit<Target, 'suite'>
}

export const httpResponse = (status: string, body: string, type = 'application/json') =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Sends the same bytes for each request, as soon as its headers are received. */
export const alwaysReturn = (bytes: string) => (socket: Socket) => {
  socket.on('data', (chunk) => {
    if (chunk.includes('\r\n\r\n')) socket.write(bytes)
  })
}

export const commonNullTargets: readonly NullTarget[] = [
  { name: 'closed port', description: 'does not listen' },
  {
    name: 'constant 502',
    description: 'returns 502 to every request',
    serve: alwaysReturn(httpResponse('502 Bad Gateway', '<html>Bad Gateway</html>')),
  },
  {
    name: 'constant 429',
    description: 'returns 429 with an envelope to every request',
    serve: alwaysReturn(
      httpResponse(
        '429 Too Many Requests',
        '{"success":false,"errors":[{"code":10429,"message":"slow down"}]}',
      ),
    ),
  },
  {
    name: '200 {}',
    description: 'returns 200 with an empty object to every request',
    serve: alwaysReturn(httpResponse('200 OK', '{}')),
  },
  {
    name: '200 Sorry',
    description: 'returns 200 with a web page to every request',
    serve: alwaysReturn(httpResponse('200 OK', '<p>Sorry</p>', 'text/html')),
  },
  {
    name: 'echo',
    description: 'returns 200 with the request as the body',
    serve: (socket) => {
      socket.on('data', (chunk) => socket.write(httpResponse('200 OK', chunk.toString('latin1'))))
    },
  },
  {
    name: 'hang',
    description: 'accepts connections and never responds',
    serve: (socket) => void socket.resume(),
  },
  {
    name: 'slow drip',
    description: 'sends a response that never ends, byte by byte',
    serve: (socket, stopped) => {
      const drip = setInterval(
        () => (stopped() || socket.destroyed ? clearInterval(drip) : socket.write(' ')),
        20,
      )
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
        ),
      )
    },
  },
  {
    name: 'reset',
    description: 'resets connections at the first byte',
    serve: (socket) => {
      socket.on('data', () => socket.resetAndDestroy())
    },
  },
  {
    name: 'endless body',
    description: 'sends a response that never ends, as fast as it is read',
    serve: (socket, stopped) => {
      const piece = Buffer.alloc(64 * 1024, 0x20)
      const pour = () => {
        while (!stopped() && !socket.destroyed && socket.write(piece));
      }
      socket.on('drain', pour)
      socket.once('data', () => {
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n',
        )
        pour()
      })
    },
  },
]

/**
 * Starts a null target on a free loopback port. For a null target without `serve`, opens the port
 * and closes it again.
 */
export async function startNullTarget({
  serve,
}: NullTarget): Promise<{ origin: string; close(): Promise<void> }> {
  let stopped = false
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve?.(socket, () => stopped)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    stopped = true
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  if (serve !== undefined) return { origin, close }
  await close()
  return { origin, close: async () => {} }
}
