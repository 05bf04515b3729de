import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest, type RequestOptions as TlsOptions } from 'node:https'
import { connect, type Socket } from 'node:net'
import { Receiver, type DeliveryReceiverOptions } from '../receiver.ts'

// Helpers of the receiver's tests. `afterEach(endAll)` closes what a test opened.
export const closers: (() => Promise<unknown> | unknown)[] = []
export async function endAll(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

/** A timeout in which every delivery arrives, in milliseconds. */
export const timeoutMs = 5000

export async function started(more: Partial<DeliveryReceiverOptions> = {}): Promise<Receiver> {
  let count = 0
  const receiver = await Receiver.start({ nextNumber: () => (count += 1), ...more })
  closers.push(() => receiver.close())
  return receiver
}

/** Sends a request without changing the path. Resolves with status, headers and body. */
export async function send(
  url: string,
  { body, ...options }: TlsOptions & RequestOptions & { body?: string | Buffer } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  return new Promise((resolve, reject) => {
    const { origin } = new URL(url)
    const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(
      origin,
      { path: url.slice(origin.length), method: 'POST', agent: false, ...options },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** A TCP connection to a receiver, to write raw bytes. */
export function bare(receiver: Receiver, bytes: string): Socket {
  const socket = connect(Number(new URL(receiver.origin).port), '127.0.0.1', () =>
    socket.write(bytes),
  )
  socket.on('error', () => {})
  closers.unshift(() => socket.destroy())
  return socket
}
export const ended = (socket: Socket) =>
  new Promise<void>((resolve) => socket.resume().once('close', resolve))
