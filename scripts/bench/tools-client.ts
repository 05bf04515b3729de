import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** A tool, and its arguments in JSON. */
export interface Call {
  name: string
  arguments: string
}

/** Sessions of a tool server over streamable HTTP, each with a connection that stays open. It reads no more of an answer than it has to: what a client does takes processor time from the server. */
export class ToolsClient {
  private readonly sessions: readonly OneSession[]

  private constructor(sessions: readonly OneSession[]) {
    this.sessions = sessions
  }

  /** Opens so many sessions. */
  static async open(url: string, count: number): Promise<ToolsClient> {
    return new ToolsClient(
      await Promise.all(Array.from({ length: count }, () => OneSession.open(new URL(url)))),
    )
  }

  /** The text of one call. */
  async text({ name, arguments: given }: Call): Promise<string> {
    const answer = await this.sessions[0]!.post(callOf(0, name, given))
    const { result } = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? '{}') as {
      result?: { content: [{ text: string }]; isError?: boolean }
    }
    if (result === undefined || result.isError === true)
      throw new Error(`${name} answered ${answer}`)
    return result.content[0].text
  }

  /** Calls so many times, one call under way on each session. */
  async calls({ name, arguments: given }: Call, count: number): Promise<void> {
    let left = count
    await Promise.all(
      this.sessions.map(async (session) => {
        while (left-- > 0) await session.post(callOf(left + 1, name, given))
      }),
    )
  }

  close(): void {
    for (const session of this.sessions) session.close()
  }
}

const callOf = (id: number, name: string, given: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`

class OneSession {
  private readonly socket: Socket
  private readonly target: URL
  private session = ''
  private answered: (answer: string) => void = () => {}
  private failed: (error: Error) => void = () => {}

  private constructor(target: URL, socket: Socket) {
    this.target = target
    this.socket = socket
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += String(chunk)
      if (!isWhole(answer)) return
      const whole = answer
      answer = ''
      this.answered(whole)
    })
    socket
      .on('error', (error) => this.failed(error))
      .on('end', () =>
        this.failed(new Error('the server closed a connection that should stay open')),
      )
  }

  static async open(target: URL): Promise<OneSession> {
    const socket = connect({ port: Number(target.port), host: target.hostname, noDelay: true })
    await once(socket, 'connect')
    const one = new OneSession(target, socket)
    const answer = await one.post(
      '{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}',
    )
    one.session = `Mcp-Session-Id: ${/^mcp-session-id: (\S+)\r$/im.exec(answer)![1]!}\r\nMCP-Protocol-Version: 2025-06-18\r\n`
    await one.post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    return one
  }

  /** Posts a message, and gives the whole answer, with its head. */
  post(message: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.answered = (answer) =>
        /^HTTP\/1\.1 20[02] /.test(answer)
          ? resolve(answer)
          : reject(new Error(`a call was answered by ${answer}`))
      this.failed = reject
      this.socket.write(
        `POST ${this.target.pathname} HTTP/1.1\r\nHost: ${this.target.host}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n${this.session}Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
      )
    })
  }

  close(): void {
    this.failed = () => {}
    this.socket.destroy()
  }
}

/** Whether an answer has come to its end: the last chunk, or as many bytes as its head says; without either it has none. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = answer.slice(0, end)
  if (/^transfer-encoding: chunked$/im.test(head)) return answer.endsWith('\r\n0\r\n\r\n')
  return answer.length >= end + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
}
