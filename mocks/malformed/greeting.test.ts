import { connect, constants, type ClientHttp2Session } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bidirectionalGreeting } from '../../generated/greeting/index.ts'
import { startGreeting, type GreetingServer } from '../stateful/greeting.ts'
import { malformGrpc } from './grpc-mutations.ts'
import { SeededRandom } from './random.ts'

const count = Number(process.env.TOUCHSTONE_MALFORMED ?? 1500)
const seed = Number(process.env.TOUCHSTONE_SEED ?? 20261126)

/** How many streams are open at the same time, and after how many streams a session ends. */
const parallel = 16
const streamsOfSession = 200

let server: GreetingServer
let path: string
const crashes: unknown[] = []
const crashed = (reason: unknown) => {
  crashes.push(reason)
}
beforeAll(async () => {
  process.on('uncaughtException', crashed).on('unhandledRejection', crashed)
  server = await startGreeting()
  path = `/${server.service}/${bidirectionalGreeting.name}`
})
afterAll(async () => {
  await server.close()
  process.off('uncaughtException', crashed).off('unhandledRejection', crashed)
})

/**
 * Opens a stream and sends bytes. Resolves to true when the stream has ended, or to false if it
 * does not end within a minute.
 */
function stream(
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): Promise<boolean> {
  return new Promise((resolve) => {
    const request = session.request({ ':method': 'POST', ':path': path, ...headers })
    request.on('error', () => {})
    request.on('close', () => resolve(true))
    request.setTimeout(60_000, () => {
      resolve(false)
      request.close(constants.NGHTTP2_CANCEL)
    })
    request.resume().end(bytes)
  })
}

async function openSession(): Promise<ClientHttp2Session> {
  const session = connect(`http://${server.address}`)
  session.on('error', () => {})
  await once(session, 'connect')
  return session
}

/** Greets one name in a well-formed stream, and returns the status. */
async function greet(): Promise<string | undefined> {
  const session = await openSession()
  const request = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  })
  let status: string | undefined
  request.on('trailers', (trailers) => {
    status = trailers['grpc-status'] as string
  })
  request.resume().end(Buffer.from([0, 0, 0, 0, 5, 10, 3, 65, 100, 97]))
  await once(request, 'close')
  session.close()
  return status
}

test('malformed streams end, and a valid stream is still served', async () => {
  const random = new SeededRandom(seed)
  const open: string[] = []
  let left = count
  const work = async () => {
    while (left > 0) {
      const session = await openSession()
      for (let n = 0; n < streamsOfSession && left > 0 && !session.destroyed; n += 1) {
        left -= 1
        const { headers, bytes } = malformGrpc(random)
        if (!(await stream(session, headers, bytes)))
          open.push(`${JSON.stringify(headers)} ${bytes.toString('hex')}`)
      }
      session.destroy()
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  expect(open).toEqual([])
  expect(await greet()).toBe('0')
  expect(crashes).toEqual([])
})

test('connections with malformed frames end, and a valid stream is still served', async () => {
  const random = new SeededRandom(seed)
  const [host, port] = server.address.split(':') as [string, string]
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  for (let sent = 0; sent < 200; sent += 1) {
    const socket = connectTcp(Number(port), host).on('error', () => {})
    const bytes = random.bytes(1 + random.below(200))
    socket.end(random.below(4) === 0 ? bytes : Buffer.concat([preface, bytes]))
    socket.resume()
    await once(socket, 'close')
  }
  expect(await greet()).toBe('0')
  expect(crashes).toEqual([])
})
