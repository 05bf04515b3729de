import { connect } from 'node:net'

/** A request that is sent again and again: its bytes, where to, and the bytes of its answer. */
export interface Load {
  port: number
  head: string
  answerBytes: number
  body: string
}

/** Sends a GET once, to learn what its answer looks like. */
export async function loadOf(url: string, token: string): Promise<Load> {
  const { host, port, pathname, search } = new URL(url)
  const head = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: */*\r\n\r\n`
  const answer = await once(Number(port), head)
  if (!answer.startsWith('HTTP/1.1 200 '))
    throw new Error(`${url} answered ${answer.slice(0, 300)}`)
  return {
    port: Number(port),
    head,
    answerBytes: Buffer.byteLength(answer),
    body: answer.slice(answer.indexOf('\r\n\r\n') + 4),
  }
}

/** Sends the request `count` times over a few connections that stay open, one at a time on each. Every answer has the same length. */
export async function send(
  { port, head, answerBytes }: Load,
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
          // Counting is all: whatever is done here takes processor time from the server.
          socket.on('data', (chunk) => {
            received += chunk.length
            if (received >= answerBytes) next()
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
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
      .setEncoding('utf8')
      .on('error', reject)
    socket.on('data', (chunk) => {
      answer += String(chunk)
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1]
      if (
        length === undefined ||
        Buffer.byteLength(answer) < answer.indexOf('\r\n\r\n') + 4 + Number(length)
      )
        return
      socket.destroy()
      resolve(answer)
    })
  })
}
