import { connect } from 'node:net'

/** How long a response may take, in milliseconds. A stream of events does not end by itself. */
const silenceMs = 5_000
const idleMs = 5

/** What a server did with a request. Status 0: it closed the connection without a response. */
export interface SendResult {
  status: number
  text: string
  isSilent: boolean
}

/** The highest status of all responses: a connection can have several, and 100 before others. */
const highestStatus = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status)))

/** Sends bytes on a new connection, and ends it. Never rejects. */
export function sendBytes(port: number, bytes: Uint8Array): Promise<SendResult> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let isSilent = false
    socket
      .on('data', (chunk) => {
        text += chunk.toString('latin1')
        socket.setTimeout(idleMs)
      })
      .on('error', () => {})
      .on('timeout', () => {
        isSilent = text === ''
        socket.destroy()
      })
      .on('close', () => resolve({ status: highestStatus(text), text, isSilent }))
    socket.setTimeout(silenceMs)
    socket.end(bytes)
  })
}
