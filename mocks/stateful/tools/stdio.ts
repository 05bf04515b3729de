import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../http/body.ts'
import type { ToolsContext } from './call.ts'
import { isRequest, isResponse, type JsonRpc } from './protocol.ts'
import { receiveMessages } from './intercept-messages.ts'

/** How long pending requests are still answered after the input has ended, in milliseconds. */
const graceMs = 5000

/**
 * A transport with one message per line, over two streams. It replaces the SDK's transport, which
 * ignores malformed lines and cannot rewrite lines.
 */
export class LineTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  private readonly context: ToolsContext
  private readonly input: Readable
  private readonly output: Writable
  private partialLine = Buffer.alloc(0)
  /** Whether the rest of a line that is too long is being skipped. */
  private isSkipping = false
  private isClosed = false
  private hasEnded = false
  /** Number of unanswered requests. */
  private pendingRequests = 0

  constructor(context: ToolsContext, input: Readable, output: Writable) {
    this.context = context
    this.input = input
    this.output = output
  }

  async start(): Promise<void> {
    this.input
      .on('data', this.receive)
      .on('end', this.end)
      .on('close', this.end)
      .on('error', this.stop)
    this.output.on('error', this.stop).on('close', this.stop)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isResponse(message as JsonRpc)) this.pendingRequests -= 1
    await this.write(message)
    if (this.hasEnded && this.pendingRequests <= 0) this.stop()
  }

  async close(): Promise<void> {
    this.stop()
  }

  private readonly receive = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      const line =
        this.partialLine.length === 0
          ? bytes.subarray(from, end)
          : Buffer.concat([this.partialLine, bytes.subarray(from, end)])
      from = end + 1
      this.partialLine = Buffer.alloc(0)
      if (this.isSkipping) this.isSkipping = false
      else this.read(line)
    }
    if (this.isSkipping) return
    this.partialLine = Buffer.concat([this.partialLine, bytes.subarray(from)])
    if (this.partialLine.length <= this.context.rules.maxMessageBytes) return
    this.partialLine = Buffer.alloc(0)
    this.isSkipping = true
    this.sendError(-32600, 'The message is too large')
  }

  private read(line: Buffer): void {
    const text = line.toString().replace(/\r$/, '')
    if (text.trim() === '') return
    if (line.length > this.context.rules.maxMessageBytes)
      return this.sendError(-32600, 'The message is too large')
    let message: unknown
    try {
      message = this.context.rules.parseMessage(text)
    } catch {
      if (this.context.choices.malformedLines === 'error')
        this.sendError(this.context.rules.parseErrorCode, 'Parse error: the line is not JSON')
      return
    }
    if (!isMessage(message))
      return this.sendError(-32600, 'Invalid Request: this is not a JSON-RPC message')
    for (const one of receiveMessages([message], this.context, 'stdio', undefined)) {
      if (isRequest(one)) this.pendingRequests += 1
      this.onmessage?.(one as unknown as JSONRPCMessage)
    }
  }

  private sendError(code: number, message: string): void {
    void this.write({ jsonrpc: '2.0', error: { code, message }, id: null })
  }

  private async write(message: object): Promise<void> {
    const { lines } = this.context.deviations
    const line = JSON.stringify(message)
    const out = lines === undefined ? line : lines(line)
    if (out === undefined || this.isClosed) return
    if (!this.output.write(typeof out === 'string' ? `${out}\n` : out))
      await Promise.race([once(this.output, 'drain'), once(this.output, 'close')]).catch(() => {})
  }

  private readonly end = (): void => {
    if (this.hasEnded) return
    this.hasEnded = true
    if (this.pendingRequests <= 0) this.stop()
    else setTimeout(this.stop, graceMs).unref()
  }

  private readonly stop = (): void => {
    if (this.isClosed) return
    this.isClosed = true
    this.input.off('data', this.receive).off('end', this.end).off('close', this.end).pause()
    this.onclose?.()
  }
}

function isMessage(value: unknown): value is JsonRpc {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false
  const { id, method } = value
  const isNamed = typeof id === 'string' || Number.isInteger(id)
  return typeof method === 'string' ? !('id' in value) || isNamed : isNamed && isResponse(value)
}
