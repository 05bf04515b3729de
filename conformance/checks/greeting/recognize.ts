import { connect } from 'node:http2'

/** How long a server may take to open an HTTP/2 connection, in milliseconds. */
const timeout = 2000

/**
 * Whether a server speaks HTTP/2 without TLS and without an upgrade, as gRPC servers do. Such a
 * server sends SETTINGS first. Servers with TLS are not recognized, because they need more keys in
 * the target file.
 */
export function recognizeGreeting(url: string): Promise<'greeting.address' | undefined> {
  if (new URL(url).protocol !== 'http:') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const session = connect(url)
    const end = (isHttp2: boolean) => {
      session.destroy()
      resolve(isHttp2 ? 'greeting.address' : undefined)
    }
    session.setTimeout(timeout, () => end(false))
    session.once('remoteSettings', () => end(true))
    session.once('error', () => end(false))
    session.once('close', () => end(false))
  })
}
