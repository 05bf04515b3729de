import { connect } from 'node:net'

/** A request that is sent repeatedly, with the size of its response. */
export interface Load {
  port: number
  head: string
  responseBytes: number
  body: string
}

/** Sends a GET request once to measure its response. */
export async function prepareLoad(url: string, token: string): Promise<Load> {
  const { host, port, pathname, search } = new URL(url)
  const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: */*\r\n\r\n`
  const response = await once(Number(port), head)
  if (!response.startsWith('HTTP/1.1 200 '))
    throw new Error(`${url} responded with ${response.slice(0, 300)}`)
  return {
    port: Number(port),
    head,
    responseBytes: Buffer.byteLength(response),
    body: response.slice(response.indexOf('\r\n\r\n') + 4),
  }
}

/**
 * Sends the request `count` times over persistent connections, one request at a time on each. All
 * responses must have the same length.
 */
export async function sendLoad(
  { port, head, responseBytes }: Load,
  count: number,
  connections = 8,
): Promise<void> {
  let left = count
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          let received = 0
          const socket = connect({ port, host: '127.0.0.1', noDelay: true }, next).on(
            'error',
            reject,
          )
          function next(): void {
            if (left-- <= 0) {
              socket.destroy()
              resolve()
              return
            }
            received = 0
            socket.write(head)
          }
          // Only count the bytes: anything more takes CPU time from the server.
          socket.on('data', (chunk) => {
            received += chunk.length
            if (received >= responseBytes) next()
          })
          socket.on('end', () =>
            reject(new Error('the server closed a connection that should stay open')),
          )
        }),
    ),
  )
}

function once(port: number, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
      .setEncoding('utf8')
      .on('error', reject)
    socket.on('data', (chunk) => {
      response += String(chunk)
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(response)?.[1]
      if (
        length === undefined ||
        Buffer.byteLength(response) < response.indexOf('\r\n\r\n') + 4 + Number(length)
      )
        return
      socket.destroy()
      resolve(response)
    })
  })
}
