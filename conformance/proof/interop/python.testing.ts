import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { install } from './debian.testing.ts'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A Python with grpcio, and the code that its own generator makes of specs/proto/examples/greeting.proto. */
export interface Python {
  /** What it is: versions of Python and grpcio. */
  name: string
  /** Runs a program of this folder to its end; what it printed, read as JSON. */
  run(program: string, ...words: string[]): Promise<unknown>
  /** Starts a server of this folder, whose first line tells its port. */
  serve(program: string, ...words: string[]): Promise<Served>
  close(): Promise<void>
}

interface Served {
  /** Host and port. */
  address: string
  close(): Promise<void>
}

/** Finds a Python with grpcio; installs what is missing where that may be done. Where there is none, gives the reason. */
export async function findPython(says: (line: string) => void): Promise<Python | string> {
  const found = await probe()
  if (found !== undefined) return await generated(found)
  const failure = await install(
    ['python3-grpcio', 'python3-grpc-tools'],
    'the tests with another gRPC',
    says,
  )
  const installed = failure === undefined ? await probe() : undefined
  return installed === undefined
    ? `no Python here has grpcio and grpcio-tools, and ${failure ?? 'installing them did not help'}`
    : await generated(installed)
}

interface Found {
  command: string
  name: string
}

/** Debian's packages are seen by the system's own Python alone, so that comes first. */
async function probe(): Promise<Found | undefined> {
  for (const command of ['/usr/bin/python3', 'python3']) {
    const program =
      'import sys, grpc, grpc_tools.protoc; print(f"Python {sys.version.split()[0]}, grpcio {grpc.__version__}")'
    const answer = await run(command, ['-c', program], { timeout: 30_000 }).catch(() => undefined)
    if (answer !== undefined) return { command, name: answer.stdout.trim() }
  }
  return undefined
}

async function generated({ command, name }: Found): Promise<Python> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-python-'))
  const close = () => rm(folder, { recursive: true, force: true })
  // Proxies of the environment are nothing for loopback, and grpcio would ask them.
  const env = { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
  const specs = path('../../../specs/proto/examples')
  try {
    await run(
      command,
      [
        '-m',
        'grpc_tools.protoc',
        `-I${specs}`,
        `--python_out=${folder}`,
        `--grpc_python_out=${folder}`,
        'greeting.proto',
      ],
      { env, timeout: 60_000 },
    )
  } catch (error) {
    await close()
    throw error
  }
  return {
    name,
    async run(program, ...words) {
      const { stdout } = await run(command, [path(program), ...words], {
        env,
        timeout: 60_000,
        maxBuffer: 64 * 1024 * 1024,
      })
      return JSON.parse(stdout)
    },
    serve: (program, ...words) =>
      serving(spawn(command, [path(program), ...words], { env, stdio: 'pipe' })),
    close,
  }
}

/** Waits for the line with the port. The server ends with its standard input, thus also where this process dies. */
async function serving(child: ChildProcessWithoutNullStreams): Promise<Served> {
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString()
  })
  const close = async () => {
    child.stdin.end()
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(late)
  }
  const early = ended.then(() => {
    throw new Error(`the server ended at once: ${errors}`)
  })
  try {
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(30_000) }),
      early,
    ])) as [string]
    const { port } = JSON.parse(line) as { port: number }
    return { address: `127.0.0.1:${port}`, close }
  } catch (error) {
    await close()
    throw error
  }
}
