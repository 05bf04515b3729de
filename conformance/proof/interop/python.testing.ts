import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServerProcess } from '../server-process.ts'
import { install } from './apt.testing.ts'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A Python interpreter with grpcio, and the code that is generated from greeting.proto for it. */
export interface Python {
  /** The versions of Python and grpcio. */
  name: string
  /** Runs a program of this folder and returns its output, parsed as JSON. */
  run(program: string, ...args: string[]): Promise<unknown>
  /** Starts a server of this folder, which prints its port first. */
  serve(program: string, ...args: string[]): Promise<Served>
  close(): Promise<void>
}

interface Served {
  /** Host and port. */
  address: string
  close(): Promise<void>
}

/**
 * Finds a Python interpreter with grpcio. If packages are missing, installs them. Returns the
 * reason if this is not possible.
 */
export async function findPython(log: (line: string) => void): Promise<Python | string> {
  const found = await probe()
  if (found !== undefined) return await preparePython(found)
  const failure = await install(
    ['python3-grpcio', 'python3-grpc-tools'],
    'the tests with another implementation of gRPC (grpcio)',
    log,
  )
  const installed = failure === undefined ? await probe() : undefined
  return installed === undefined
    ? `no Python with grpcio and grpcio-tools was found, and ${failure ?? 'installing them did not change that'}`
    : await preparePython(installed)
}

interface Found {
  command: string
  name: string
}

/** Only the system's own Python finds the packages of Debian, so it is tried first. */
async function probe(): Promise<Found | undefined> {
  for (const command of ['/usr/bin/python3', 'python3']) {
    const program =
      'import sys, grpc, grpc_tools.protoc; print(f"Python {sys.version.split()[0]}, grpcio {grpc.__version__}")'
    const result = await run(command, ['-c', program], { timeout: 600_000 }).catch(() => undefined)
    if (result !== undefined) return { command, name: result.stdout.trim() }
  }
  return undefined
}

async function preparePython({ command, name }: Found): Promise<Python> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-python-'))
  const close = () => rm(folder, { recursive: true, force: true })
  // Omits the proxy variables of the environment, because grpcio would use a proxy even for
  // loopback.
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
    async run(program, ...args) {
      const { stdout } = await run(command, [path(program), ...args], {
        env,
        timeout: 60_000,
        maxBuffer: 64 * 1024 * 1024,
      })
      return JSON.parse(stdout)
    },
    async serve(program, ...args) {
      const { facts, close } = await startServerProcess<{ port: number }>(
        command,
        [path(program), ...args],
        env,
      )
      return { address: `127.0.0.1:${facts.port}`, close }
    },
    close,
  }
}
