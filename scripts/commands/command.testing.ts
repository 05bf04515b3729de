import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Command, CommanderError } from 'commander'
import { expect, vi } from 'vitest'
import { printError } from '../print-error.ts'
import { refuseEmptyValues } from './empty-values.ts'

/** The exit status and the output of a command. */
interface Outcome {
  status: number
  out: string
  error: string
}

/** Returns a function that runs a command in this process. `describe` declares the command. */
export function commandOf(
  name: string,
  describe: (command: Command) => void,
): (...args: string[]) => Promise<Outcome> {
  return async (...args) => {
    const output = { out: '', error: '' }
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
        output.out += String(chunk)
        return true
      }),
      vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
        output.error += String(chunk)
        return true
      }),
    ]
    const before = process.exitCode
    process.exitCode = 0
    const program = new Command('touchstone').exitOverride()
    refuseEmptyValues(program)
    describe(program.command(name))
    try {
      await program.parseAsync([name, ...args], { from: 'user' })
      return { status: Number(process.exitCode ?? 0), ...output }
    } catch (error) {
      if (!(error instanceof CommanderError)) return { status: printError(error), ...output }
      return { status: error.exitCode === 0 ? 0 : 3, ...output }
    } finally {
      for (const spy of spies) spy.mockRestore()
      process.exitCode = before
    }
  }
}

/** A command that runs in its own process. */
export interface CommandRun {
  child: ChildProcess
  output: { out: string; err: string }
  ended: Promise<number | null>
}

const touchstoneFile = fileURLToPath(new URL('../touchstone.ts', import.meta.url))

/** After this many milliseconds, a command that does not stop is killed. */
const killAfterMs = 10_000

/** Stops commands as Ctrl-C does, so that they delete their files. Empties the list. */
export async function stopAll(runs: CommandRun[]): Promise<void> {
  await Promise.all(
    runs.splice(0).map(async ({ child, ended }) => {
      child.kill('SIGINT')
      const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      await ended
      clearTimeout(timer)
    }),
  )
}

/** Starts a command in its own process. The caller must stop it with `stopAll`. */
export function startCommand(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): CommandRun {
  const child = spawn(process.execPath, ['--import', 'tsx', touchstoneFile, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    output.err += String(chunk)
  })
  return {
    child,
    output,
    ended: new Promise((resolve) => {
      child.on('close', (code) => resolve(code))
    }),
  }
}

/** Waits until a command has printed a string. Fails the test if the command exits without it. */
export async function untilPrinted(run: CommandRun, text: string): Promise<void> {
  while (!run.output.out.includes(text)) {
    if (run.child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(run.output.out, run.output.err).toContain(text)
}

/**
 * Sends the first line of a request. A server that waits for its connections to end waits for this
 * one, so a test does not need its own time limit. The caller destroys the socket.
 */
export async function startRequest(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  // A server that exits may reset the connection.
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write('GET / HTTP/1.1\r\n', resolve))
  return socket
}

/** The first message of an MCP client. */
export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
}
