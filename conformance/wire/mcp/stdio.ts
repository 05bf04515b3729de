import { isUtf8 } from 'node:buffer'
import type { McpExit } from './api.ts'
import type { Bearing, Carrier } from './carrier.ts'
import type { Errand } from './errand.ts'
import type { McpSent } from './exchange.ts'
import { parsed, problemOf, shown } from './jsonrpc.ts'
import { Lines } from './lines.ts'
import type { Pipes, PipesEnd, StdioPlace } from './places.ts'
import { spawned } from './process.ts'
import { within } from '../within.ts'

/** Milliseconds that a subprocess has to end after each of: its input closed, SIGTERM, SIGKILL. */
const grace = 5000
/** Characters of the standard error that are kept. */
const keptErrors = 64 * 1024

/** A subprocess: each message is a line. */
export class StdioCarrier implements Carrier {
  stderr = ''
  exit: McpExit | undefined
  private readonly bearing: Bearing
  private readonly place: StdioPlace
  private readonly lines: Lines
  private pipes: Pipes | undefined
  private over: PipesEnd | undefined

  constructor(bearing: Bearing, place: StdioPlace) {
    this.bearing = bearing
    this.place = place
    const { maxBytes } = bearing.settings
    this.lines = new Lines(
      maxBytes,
      (line) => this.line(line),
      () => this.tooMuch(`a line is longer than ${maxBytes} bytes`),
    )
  }

  async open(): Promise<void> {
    const { place, bearing } = this
    let pipes: Pipes
    try {
      pipes = 'connect' in place ? place.connect() : spawned(place)
    } catch (error) {
      return bearing.lost('unreachable', (error as Error).message)
    }
    this.pipes = pipes
    const ended = new Promise<void>((resolve) =>
      pipes.output
        .once('end', resolve)
        .once('close', resolve)
        .on('error', () => resolve()),
    )
    pipes.input.on('error', () => {})
    pipes.output.on('data', (chunk: Buffer | string) => this.data(Buffer.from(chunk)))
    pipes.errors
      ?.on('error', () => {})
      .on(
        'data',
        (chunk: Buffer | string) =>
          (this.stderr = (this.stderr + String(chunk)).slice(-keptErrors)),
      )
    void pipes.closed.then((end) => {
      this.over = end
      if (end.failure !== undefined) this.gone()
    })
    // What it wrote last may still be on its way when it has ended, and the other way about.
    void pipes.closed
      .then(() => within(bearing.settings.clock, 1000, ended))
      .then(() => this.gone())
    void ended
      .then(() => within(bearing.settings.clock, 1000, pipes.closed))
      .then(() => this.gone())
    // A command that is not there says so at once.
    await new Promise((resolve) => setImmediate(resolve))
  }

  sent(text: string): McpSent {
    const { place } = this
    if ('connect' in place) return { method: 'stdio', url: 'server', headers: {}, text }
    const variables = Object.entries(place.env ?? {}).map(
      ([name, value]) => `${name}=${word(value)}`,
    )
    const url = [...variables, ...[place.command, ...(place.args ?? [])].map(word)].join(' ')
    return { method: 'stdio', url, headers: {}, text }
  }

  send(errand: Errand, bytes: Buffer): void {
    const { exchange } = errand
    void errand.over.then(exchange.markEnded)
    this.pipes?.input.write(Buffer.concat([bytes, Buffer.from('\n')]), (error) => {
      if (error === null || error === undefined) errand.deliver()
      // Mostly because it has ended, which is about to be known.
      else
        void within(this.bearing.settings.clock, 1000, errand.over).then(() =>
          errand.finish('closed', 'its input was closed'),
        )
    })
  }

  async close(): Promise<void> {
    const { pipes, bearing } = this
    if (pipes === undefined || this.exit !== undefined) return
    const { clock } = bearing.settings
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
      await within(clock, grace, pipes.closed)
      if (this.over !== undefined) break
    }
    const { code, signal } = this.over ?? {}
    this.exit = { by, code, signal, milliseconds: Math.round(clock.now() - started) }
    pipes.output.destroy()
  }

  private data(chunk: Buffer): void {
    for (const errand of this.bearing.dialogue.errands) {
      errand.exchange.receivedBytes += chunk.length
      errand.stir()
    }
    this.lines.push(chunk)
  }

  private line(bytes: Buffer): void {
    const { dialogue } = this.bearing
    const text = bytes.toString('utf8')
    if (!isUtf8(bytes)) dialogue.problem(problemOf('line-not-utf8', 'a line is no UTF-8'))
    const json = parsed(text)
    if (json === undefined)
      dialogue.problem(
        problemOf('line-not-json', `the output has a line that is no JSON: ${shown(text)}`),
      )
    else dialogue.take(json.value, { stream: 'stdout', text })
  }

  private gone(): void {
    const rest = Buffer.concat(this.lines.take()).toString('utf8')
    if (rest !== '')
      this.bearing.dialogue.problem(
        problemOf('line-unfinished', `the output ended in the middle of a line: ${shown(rest)}`),
      )
    const { over } = this
    if (over?.failure !== undefined) this.bearing.lost('unreachable', over.failure)
    else
      this.bearing.lost(
        'closed',
        over === undefined
          ? 'its output was closed'
          : `the process ended (${endOf(over)})${complaintOf(this.stderr)}`,
      )
  }

  private tooMuch(why: string): void {
    this.bearing.lost('flood', why)
    this.pipes?.output.destroy()
  }
}

const endOf = ({ code, signal }: PipesEnd): string =>
  signal === undefined ? `exit code ${code ?? 0}` : `signal ${signal}`

/** The line of its standard error that tells most likely why it ended: the last one that begins as an error does, else the last one. */
function complaintOf(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  const line = lines.findLast((one) => /^\S+: /.test(one)) ?? lines.at(-1)
  return line === undefined ? '' : `, and said ${shown(line)}`
}

const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
