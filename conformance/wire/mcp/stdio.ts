import { isUtf8 } from 'node:buffer'
import { availableParallelism } from 'node:os'
import { newGate } from '../../engine/index.ts'
import { showNotJson } from '../json-failure.ts'
import { redactedWord } from '../shell.ts'
import { waitAtMost } from '../wait.ts'
import type { McpExit, StdioServer } from './api.ts'
import type { Dialogue, PendingRequest } from './dialogue.ts'
import type { McpSent } from './exchange.ts'
import { LineParser, problemOf, shown } from './framing.ts'
import { startProcess, type Pipes, type ProcessEnd } from './process.ts'

/**
 * After each step (closing the input, SIGTERM, SIGKILL), the suite waits this many milliseconds for
 * the subprocess to end.
 */
const grace = 5000
/** The same if the run was cancelled: the user waits for its end. */
const graceAfterCancel = 1000
/** This many characters of the standard error are kept. */
const maxStderrCharacters = 64 * 1024

/**
 * Limits how many subprocesses start at the same time. Their start is work for this machine, so
 * many starts at the same time would exceed the timeout of their first messages.
 */
const starts = newGate({ concurrency: availableParallelism() })
/** After this many milliseconds without output, a subprocess counts as started. */
const maxStart = 5000

/** Sends and receives the messages of a subprocess: each message is a line. */
export class StdioTransport {
  stderr = ''
  exit: McpExit | undefined
  private readonly dialogue: Dialogue
  private readonly server: StdioServer
  private readonly lines: LineParser
  private pipes: Pipes | undefined
  private over: ProcessEnd | undefined

  constructor(dialogue: Dialogue, server: StdioServer) {
    this.dialogue = dialogue
    this.server = server
    const { maxBytes } = dialogue.settings
    this.lines = new LineParser(
      maxBytes,
      (line) => this.receiveLine(line),
      () => {
        dialogue.lose('flood', `a line is longer than ${maxBytes} bytes`)
        this.pipes?.output.destroy()
      },
    )
  }

  async open(): Promise<void> {
    const { server, dialogue } = this
    const { clock } = dialogue.settings
    const endStart = 'connect' in server ? () => {} : await starts.enter(0)
    if (dialogue.settings.signal?.aborted === true) {
      endStart()
      return dialogue.lose('unreachable', 'the run was cancelled')
    }
    let pipes: Pipes
    try {
      pipes = 'connect' in server ? server.connect() : startProcess(server)
    } catch (error) {
      endStart()
      return dialogue.lose('unreachable', (error as Error).message)
    }
    this.pipes = pipes
    const firstOutput = new Promise<void>((resolve) => pipes.output.once('data', () => resolve()))
    void waitAtMost(clock, maxStart, Promise.race([firstOutput, pipes.closed])).then(endStart)
    const ended = new Promise<void>((resolve) =>
      pipes.output
        .once('end', resolve)
        .once('close', resolve)
        .on('error', () => resolve()),
    )
    pipes.input.on('error', () => {})
    pipes.output.on('data', (chunk: Buffer | string) => this.receive(Buffer.from(chunk)))
    pipes.errors
      ?.on('error', () => {})
      .on(
        'data',
        (chunk: Buffer | string) =>
          (this.stderr = (this.stderr + String(chunk)).slice(-maxStderrCharacters)),
      )
    void pipes.closed.then((end) => {
      this.over = end
      if (end.failure !== undefined) this.lose()
    })
    // The process and its output can end in either order. The connection is lost when both have
    // ended, at the latest 1 s after the first of them.
    void pipes.closed.then(() => waitAtMost(clock, 1000, ended)).then(() => this.lose())
    void ended.then(() => waitAtMost(clock, 1000, pipes.closed)).then(() => this.lose())
    // Waits for one turn of the event loop, in which a command that does not exist fails.
    await new Promise((resolve) => setImmediate(resolve))
  }

  describe(text: string): McpSent {
    const { server } = this
    if ('connect' in server) return { method: 'stdio', url: 'server', headers: {}, text }
    const word = (value: string) => redactedWord(value, this.dialogue.settings.redact)
    const variables = Object.entries(server.env ?? {}).map(
      ([name, value]) => `${name}=${word(value)}`,
    )
    const url = [...variables, ...[server.command, ...(server.args ?? [])].map(word)].join(' ')
    return { method: 'stdio', url, headers: {}, text }
  }

  send(pending: PendingRequest, bytes: Buffer): void {
    void pending.over.then(pending.exchange.markEnded)
    this.pipes?.input.write(Buffer.concat([bytes, Buffer.from('\n')]), (error) => {
      if (error === null || error === undefined) pending.markSent()
      // Usually the subprocess has ended. Waits, so that the exchange fails with that reason.
      else
        void waitAtMost(this.dialogue.settings.clock, 1000, pending.over).then(() =>
          pending.finish('closed', 'the input of the process was closed'),
        )
    })
  }

  async close(): Promise<void> {
    const { pipes } = this
    if (pipes === undefined || this.exit !== undefined) return
    const { clock, signal: cancellation } = this.dialogue.settings
    const started = clock.now()
    const steps = [
      ['input', () => pipes.input.end()],
      ['SIGTERM', () => pipes.close()],
      ['SIGKILL', () => pipes.close(true)],
    ] as const
    let by: McpExit['by'] = 'itself'
    for (const [step, act] of this.over === undefined ? steps : []) {
      by = step
      await act()
      const wait = cancellation?.aborted === true ? graceAfterCancel : grace
      await waitAtMost(clock, wait, pipes.closed)
      if (this.over !== undefined) break
    }
    const { code, signal } = this.over ?? {}
    this.exit = { by, code, signal, milliseconds: Math.round(clock.now() - started) }
    pipes.output.destroy()
  }

  private receive(chunk: Buffer): void {
    for (const pending of this.dialogue.pending) {
      pending.exchange.receivedBytes += chunk.length
      pending.touch()
    }
    this.lines.push(chunk)
  }

  private receiveLine(bytes: Buffer): void {
    const { dialogue } = this
    const text = bytes.toString('utf8')
    if (!isUtf8(bytes)) dialogue.problem(problemOf('line-not-utf8', 'a line is not UTF-8'))
    const json = dialogue.parse(text)
    if (json !== undefined && 'excess' in json) {
      dialogue.lose('flood', json.excess)
      this.pipes?.output.destroy()
    } else if (json === undefined)
      dialogue.problem(
        problemOf(
          'line-not-json',
          `the output has a line that is not JSON: ${showNotJson(text, dialogue.settings.redact)}`,
        ),
      )
    else dialogue.receive(json.value, { stream: 'stdout', text })
  }

  /** Called when the subprocess or its output has ended. */
  private lose(): void {
    const { dialogue, over } = this
    const rest = Buffer.concat(this.lines.take()).toString('utf8')
    if (rest !== '')
      dialogue.problem(
        problemOf(
          'line-unfinished',
          `the output ended in the middle of a line: ${showNotJson(rest, dialogue.settings.redact)}`,
        ),
      )
    if (over?.failure !== undefined) dialogue.lose('unreachable', over.failure)
    else
      dialogue.loseProcess(
        over === undefined
          ? 'the output of the process was closed'
          : `the process ended (${endOf(over)})${likelyReasonIn(this.stderr)}`,
      )
  }
}

const endOf = ({ code, signal }: ProcessEnd): string =>
  signal === undefined ? `exit code ${code ?? 0}` : `signal ${signal}`

/**
 * Finds the likely reason for the end of a subprocess in its standard error: the last line that
 * starts like an error. Without such a line, the last line.
 */
function likelyReasonIn(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  const line = lines.findLast((one) => /^\S+: /.test(one)) ?? lines.at(-1)
  return line === undefined ? '' : `, and wrote ${shown(line)}`
}
