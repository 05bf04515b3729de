import { connect } from 'node:net'

/**
 * How long a response may take to begin, in milliseconds: so long that only a server which hangs
 * takes longer, also on a busy machine.
 */
const silenceMs = 60_000

/**
 * The pause after which a response counts as complete, in milliseconds. An event stream does not
 * end by itself.
 */
const idleMs = 5

/** How a server responded to a request. */
export interface SendResult {
  /** 0 if there was no response. */
  status: number
  text: string
  /** Whether the server neither responded nor closed the connection. */
  isSilent: boolean
}

/**
 * The highest status of all responses. A connection can have several responses, and status 100 can
 * precede another status.
 */
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
