import { createServer, type RequestListener } from 'node:http'
import { closeServer, listen } from '../../../mocks/stateful/http/server.ts'

/** Starts a server on loopback. */
export async function startLoopback(
  handle: RequestListener,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handle)
  return { url: await listen(server, 0), close: () => closeServer(server) }
}

/** Returns a port of 127.0.0.1 on which nothing listens. */
export async function findFreePort(): Promise<string> {
  const { url, close } = await startLoopback(() => {})
  await close()
  return new URL(url).port
}
