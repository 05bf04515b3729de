import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { MockName } from '../../mocks/registry.ts'
import type { MockServer } from './mock-server.ts'

/** The path of the compiled command. */
export const touchstoneFile = join(import.meta.dirname, '..', 'touchstone.js')

/** Starts a compiled file of this folder and waits for its first message. */
export async function startProcess<Message>(
  file: string,
  args: readonly string[] = [],
): Promise<{ child: ChildProcess; firstMessage: Message }> {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: ['--expose-gc'] })
  return { child, firstMessage: await nextMessageOf<Message>(child) }
}

/** Starts a mock in its own process. */
export const startMock = (
  name: MockName,
): Promise<{ child: ChildProcess; firstMessage: MockServer }> =>
  startProcess('mock-server.js', [name])

/** Sends a message to a process and returns its reply. */
export async function ask<Message>(child: ChildProcess, question: object): Promise<Message> {
  const reply = nextMessageOf<Message>(child)
  child.send(question)
  return reply
}

async function nextMessageOf<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController()
  const received = once(child, 'message', { signal: ended.signal })
  const failed = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(
      `${child.spawnargs.slice(1).join(' ')} exited with ${String(code)} before it replied`,
    )
  })
  try {
    const [message] = (await Promise.race([received, failed])) as [Message]
    return message
  } finally {
    received.catch(() => {})
    failed.catch(() => {})
    ended.abort()
  }
}

/**
 * Returns the CPU time of a process so far, in microseconds. The process must reply to messages
 * with its CPU usage.
 */
export async function readCpuTime(child: ChildProcess): Promise<number> {
  const { user, system } = await ask<NodeJS.CpuUsage>(child, { cpu: true })
  return user + system
}

/** Returns the run time of a program in milliseconds. Throws if its exit code is not 0. */
export async function timeProgram(
  args: readonly string[],
  options: { cwd?: string } = {},
): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    output += String(chunk)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  const milliseconds = performance.now() - begun
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}:\n${output.slice(-2000)}`)
  return milliseconds
}

/**
 * Starts a program and returns its first line of output, with the milliseconds until that line.
 * `stop` kills the program. Throws if the program exits before it prints a line.
 */
export async function startUntilFirstLine(
  args: readonly string[],
): Promise<{ milliseconds: number; line: string; stop(): void }> {
  const begun = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let line = ''
  for await (const chunk of child.stdout.iterator({
    destroyOnReturn: false,
  }) as AsyncIterable<Buffer>) {
    line += chunk.toString()
    if (line.includes('\n')) break
  }
  if (!line.includes('\n')) throw new Error(`${args.join(' ')} exited before it was ready`)
  child.stdout.resume()
  return { milliseconds: performance.now() - begun, line: line.trim(), stop: () => child.kill() }
}
