import { processClock, type Clock } from '../../engine/index.ts'
import { startProcess, type Pipes } from '../mcp/process.ts'
import { collectOutput, describeEnd } from '../program.ts'
import { hostOf } from '../receiver/address.ts'
import { Listener } from '../receiver/listener.ts'
import { isLoopback } from './cookies.ts'
import type { Decision } from './button-meaning.ts'

/** A program that decides in place of a user. */
export interface ConsentCommand {
  command: string
  /** `{url}` is replaced by the URL to open, and `{decision}` by `approve` or `deny`. */
  args?: readonly string[] | undefined
  clock?: Clock | undefined
  /** Milliseconds for one decision. */
  timeout?: number | undefined
}

/** The result of a consent program. */
export interface ConsentProgramResult {
  /** The redirect that the program's browser followed, with its query. */
  destination?: URL
  /** Why there was no redirect. */
  problem?: string
}

/** Returns a free address on loopback, for redirect URIs. */
export async function freeAddress(): Promise<string> {
  const listener = await Listener.start({ listen: '127.0.0.1:0', publicUrl: undefined, tls: false })
  await listener.close()
  return listener.origin
}

/**
 * Milliseconds to wait: for the program to exit after the redirect (`exit`), for the redirect after
 * the program has exited (`afterExit`), and for the exit after SIGTERM (`afterSigterm`).
 */
const timeouts = { exit: 1000, afterExit: 2000, afterSigterm: 2000 }

/**
 * Runs a program that opens a URL as a browser would, and decides. The program must run until its
 * browser has followed the redirect. The suite listens at the redirect URI, which must be on this
 * machine. Decisions run one by one, because they can share that address.
 */
export class ConsentProgram {
  private readonly options: ConsentCommand
  private readonly clock: Clock
  private last: Promise<unknown> = Promise.resolve()

  constructor(options: ConsentCommand) {
    this.options = options
    this.clock = options.clock ?? processClock
  }

  /** Runs the program. Never rejects; the signal cancels it. */
  decide(
    url: string,
    decision: Decision,
    redirectUri: string,
    signal?: AbortSignal,
  ): Promise<ConsentProgramResult> {
    const turn = this.last
      .then(() => this.runOnce(url, decision, redirectUri, signal))
      .catch((error: unknown): ConsentProgramResult => ({
        problem: error instanceof Error ? error.message : String(error),
      }))
    this.last = turn
    return turn
  }

  private async runOnce(
    url: string,
    decision: Decision,
    redirectUri: string,
    signal: AbortSignal | undefined,
  ): Promise<ConsentProgramResult> {
    if (signal?.aborted === true) return { problem: 'the consent program was cancelled' }
    const home = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined
    if (home?.protocol !== 'http:' || !isLoopback(hostOf(home.href)))
      return {
        problem: `the suite cannot listen at ${redirectUri}: it must be an http URL on loopback`,
      }
    const listener = await Listener.start({
      listen: `${home.hostname}:${home.port === '' ? 80 : home.port}`,
      publicUrl: undefined,
      tls: false,
    })
    try {
      const returned = waitForRedirect(listener, home)
      const { command, args = [], timeout = 120_000 } = this.options
      const pipes = startProcess({
        command,
        // A function, because `$` has a special meaning in a replacement string.
        args: args.map((arg) =>
          arg.replaceAll(/\{(url|decision)\}/g, (_, name) => (name === 'url' ? url : decision)),
        ),
      })
      const lastOutput = collectOutput(pipes)
      const result = await this.waitForResult(returned, pipes, timeout, lastOutput, signal)
      await this.stop(pipes, result.destination === undefined ? 0 : timeouts.exit)
      return result
    } finally {
      await listener.close()
    }
  }

  /**
   * Waits for the redirect, the end of the program, the timeout or the signal, whichever is first.
   */
  private async waitForResult(
    returned: Promise<URL>,
    pipes: Pipes,
    timeout: number,
    lastOutput: () => string,
    signal: AbortSignal | undefined,
  ): Promise<ConsentProgramResult> {
    const waiting = new AbortController()
    const cancel = () => waiting.abort()
    signal?.addEventListener('abort', cancel, { once: true })
    const endedEarly = pipes.closed.then(async (end): Promise<ConsentProgramResult> => {
      if (end.failure === undefined && end.code === 0)
        await this.clock.sleep(timeouts.afterExit, waiting.signal)
      return {
        problem: `${describeEnd(end)} before a browser requested the redirect URI${lastOutput()}`,
      }
    })
    const timedOut = this.clock
      .sleep(timeout, waiting.signal, 'the consent program')
      .then((): ConsentProgramResult => ({
        problem:
          signal?.aborted === true
            ? 'the consent program was cancelled'
            : `no browser requested the redirect URI within ${timeout / 1000} s${lastOutput()}`,
      }))
    const end = await Promise.race([
      returned.then((back): ConsentProgramResult => ({ destination: back })),
      endedEarly,
      timedOut,
    ])
    signal?.removeEventListener('abort', cancel)
    waiting.abort()
    return end
  }

  private async stop(pipes: Pipes, exitTimeout: number): Promise<void> {
    for (const [wait, force] of [
      [exitTimeout, false],
      [timeouts.afterSigterm, true],
    ] as const) {
      if (await this.endsWithin(pipes, wait)) return
      await pipes.close(force)
    }
    await pipes.closed
  }

  private async endsWithin(pipes: Pipes, milliseconds: number): Promise<boolean> {
    const waiting = new AbortController()
    const over = await Promise.race([
      pipes.closed.then(() => true),
      this.clock.sleep(milliseconds, waiting.signal).then(() => false),
    ])
    waiting.abort()
    return over
  }
}

/** Resolves with the URL of the first request to the redirect URI. */
function waitForRedirect(listener: Listener, home: URL): Promise<URL> {
  return new Promise((resolve) =>
    listener.onRequest((request, response) => {
      request.resume()
      const base = `${home.protocol}//${home.host}`
      const path = request.url ?? '/'
      const back =
        path.startsWith('/') && URL.canParse(base + path) ? new URL(base + path) : undefined
      const here = back?.pathname === home.pathname && request.method !== 'HEAD'
      if (here) response.on('close', () => resolve(back))
      response.writeHead(here ? 200 : 404, {
        'Content-Type': 'text/html; charset=utf-8',
        Connection: 'close',
      })
      response.end(
        here
          ? '<!doctype html><title>Done</title><p>This page can be closed.'
          : '<!doctype html><title>Nothing</title>',
      )
    }),
  )
}
