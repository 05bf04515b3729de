import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** A tool and its arguments as JSON. */
export interface Call {
  name: string
  arguments: string
}

/**
 * Sessions of a tool server over streamable HTTP, each with a persistent connection. The client
 * parses as little as possible, so that it takes little CPU time from the server.
 */
export class ToolsClient {
  private readonly sessions: readonly ToolsSession[]

  private constructor(sessions: readonly ToolsSession[]) {
    this.sessions = sessions
  }

  /** Opens `count` sessions. */
  static async open(url: string, count: number): Promise<ToolsClient> {
    return new ToolsClient(
      await Promise.all(Array.from({ length: count }, () => ToolsSession.open(new URL(url)))),
    )
  }

  /** Calls a tool once and returns the text of its result. */
  async text({ name, arguments: given }: Call): Promise<string> {
    const response = await this.sessions[0]!.post(callOf(0, name, given))
    const { result } = JSON.parse(/^data: (.*)$/m.exec(response)?.[1] ?? '{}') as {
      result?: { content: [{ text: string }]; isError?: boolean }
    }
    if (result === undefined || result.isError === true)
      throw new Error(`${name} returned ${response}`)
    return result.content[0].text
  }

  /** Calls a tool `count` times, with one call at a time in each session. */
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

class ToolsSession {
  private readonly socket: Socket
  private readonly url: URL
  private session = ''
  private answered: (response: string) => void = () => {}
  private failed: (error: Error) => void = () => {}

  private constructor(url: URL, socket: Socket) {
    this.url = url
    this.socket = socket
    let response = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      response += String(chunk)
      if (!isWhole(response)) return
      const whole = response
      response = ''
      this.answered(whole)
    })
    socket
      .on('error', (error) => this.failed(error))
      .on('end', () =>
        this.failed(new Error('the server closed a connection that should stay open')),
      )
  }

  static async open(url: URL): Promise<ToolsSession> {
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true })
    await once(socket, 'connect')
    const one = new ToolsSession(url, socket)
    const response = await one.post(
      '{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}',
    )
    one.session = `Mcp-Session-Id: ${/^mcp-session-id: (\S+)\r$/im.exec(response)![1]!}\r\nMCP-Protocol-Version: 2025-06-18\r\n`
    await one.post('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    return one
  }

  /** Posts a message and returns the whole response, including its head. */
  post(message: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.answered = (response) =>
        /^HTTP\/1\.1 20[02] /.test(response)
          ? resolve(response)
          : reject(new Error(`a call failed with ${response}`))
      this.failed = reject
      this.socket.write(
        `POST ${this.url.pathname} HTTP/1.1\r\nHost: ${this.url.host}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n${this.session}Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
      )
    })
  }

  close(): void {
    this.failed = () => {}
    this.socket.destroy()
  }
}

/**
 * Whether a response is complete: either its last chunk was received, or as many bytes as its
 * Content-Length (0 if missing).
 */
function isWhole(response: string): boolean {
  const end = response.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = response.slice(0, end)
  if (/^transfer-encoding: chunked$/im.test(head)) return response.endsWith('\r\n0\r\n\r\n')
  return response.length >= end + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
}
