import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Random } from '../../engine/index.ts'
import { startNullTarget } from '../null-targets/common.ts'
import { sendPlainly, type Answer, type Behavior, type Turn } from './behavior.ts'

/** Proxies in front of servers, one for each origin. */
export interface Proxies {
  /** Replaces the origins of the servers with those of the proxies. */
  rewrite(text: string): string
  close(): Promise<void>
}

/** Headers that describe a connection or the length of a body. */
const ofConnection = /^(connection|keep-alive|transfer-encoding|content-length)$/i

/**
 * Starts a proxy for each origin. It replaces the origins in each response with those of the
 * proxies, and then applies the behavior. `seed` determines the random values of the behavior.
 */
export async function startProxies(
  origins: readonly string[],
  behavior: Behavior,
  seed: number,
): Promise<Proxies> {
  const random = new Random(String(seed))
  let number = 0
  const proxied = new Map<string, string>()
  const rewrite = (text: string) => {
    let result = text
    for (const [own, other] of proxied) result = result.replaceAll(own, other)
    return result
  }
  const restore = (text: string) => {
    let result = text
    for (const [own, other] of proxied) result = result.replaceAll(other, own)
    return result
  }

  const answerTo = async (incoming: IncomingMessage): Promise<IncomingMessage> => {
    const received = incoming.headers.host ?? ''
    const body = await buffer(incoming)
    bodies.set(incoming, body)
    const origin = restore(`http://${received}`)
    const headers = incoming.rawHeaders.map((text, index) =>
      index % 2 === 0 ? text : restore(text).replaceAll(received, new URL(origin).host),
    )
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        new URL(incoming.url ?? '/', origin),
        { method: incoming.method, headers, agent: false, path: incoming.url },
        resolve,
      )
      outgoing.on('error', reject)
      responseTo.get(incoming)!.once('close', () => outgoing.destroy())
      outgoing.end(body)
    })
  }
  const bodies = new WeakMap<IncomingMessage, Buffer>()
  const responseTo = new WeakMap<IncomingMessage, ServerResponse>()

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    responseTo.set(incoming, response)
    const outcome = await answerTo(incoming)
    const headers = pairs(outcome.rawHeaders)
      .filter(([name]) => !ofConnection.test(name))
      .map(([name, value]) => [name, rewrite(value)] as const)
    // An event stream may not end, so its parts are passed on as they arrive.
    if (/text\/event-stream/.test(outcome.headers['content-type'] ?? '')) {
      const status = outcome.statusCode ?? 0
      const turn = turnOf(incoming)
      const first = change({ status, headers, body: Buffer.alloc(0) }, turn)
      response.writeHead(first.status, first.headers.flat())
      response.flushHeaders()
      for await (const chunk of outcome as AsyncIterable<Buffer>)
        response.write(changeEvents(rewrite(chunk.toString('utf8')), turn))
      response.end()
      return
    }
    const bytes = await buffer(outcome)
    const isText = /json|text/.test(outcome.headers['content-type'] ?? '')
    const body = isText ? Buffer.from(rewrite(bytes.toString('utf8'))) : bytes
    const turn = turnOf(incoming)
    const answer = change(
      {
        status: outcome.statusCode ?? 0,
        headers:
          incoming.method === 'HEAD' || outcome.statusCode === 204
            ? headers
            : [...headers, ['Content-Length', String(body.length)]],
        body,
      },
      turn,
    )
    ;(behavior.send ?? sendPlainly)(answer, response, turn)
  }

  const turnOf = (incoming: IncomingMessage): Turn => ({
    number: (number += 1),
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: bodies.get(incoming) ?? Buffer.alloc(0),
    random,
  })

  const change = (answer: Answer, turn: Turn): Answer => {
    if (behavior.change === undefined) return answer
    const changed = behavior.change(answer, turn)
    if (changed.body === answer.body) return changed
    const isLength = ([name]: readonly [string, string]) => /^content-length$/i.test(name)
    return changed.headers.some(isLength)
      ? {
          ...changed,
          headers: changed.headers.map((header) =>
            isLength(header) ? [header[0], String(changed.body.length)] : header,
          ),
        }
      : changed
  }

  /** Changes the JSON of each event. */
  const changeEvents = (text: string, turn: Turn): string =>
    text.replace(/^data: (.*)$/gm, (line, data: string) => {
      const answer = {
        status: 200,
        headers: [['content-type', 'application/json']] as const,
        body: Buffer.from(data),
      }
      const { body } = change(answer, turn)
      return body === answer.body ? line : `data: ${body.toString('utf8').replace(/[\r\n]/g, ' ')}`
    })

  const started = await Promise.all(
    origins.map(async (origin) => {
      if (behavior.serve !== undefined) {
        const target = await startNullTarget({ name: '', description: '', serve: behavior.serve })
        proxied.set(origin, target.origin)
        return target.close
      }
      const sockets = new Set<Socket>()
      const server = createServer((incoming, response) => {
        response.on('error', () => {})
        handle(incoming, response).catch(() => response.destroy())
      })
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        socket.on('error', () => {})
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      proxied.set(origin, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      return async () => {
        for (const socket of sockets) socket.destroy()
        await new Promise((resolve) => server.close(resolve))
      }
    }),
  )
  return { rewrite, close: async () => void (await Promise.all(started.map((close) => close()))) }
}

const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!])
