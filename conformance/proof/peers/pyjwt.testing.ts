import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Target } from '../../target.ts'
import { install } from '../interop/apt.testing.ts'
import { startPython } from '../python.ts'

const run = promisify(execFile)
const server = fileURLToPath(new URL('pyjwt/server.py', import.meta.url))
const [issuer, audience] = ['https://issuer.example', 'shelf']

export interface PyJwtPeer {
  /** The `tools` section of a target file. */
  tools: NonNullable<Target['tools']>
  /** Versions of 2026 and later do: they mend CVE-2026-32597. */
  validatesCrit: boolean
  close(): Promise<void>
}

/**
 * Returns a Python interpreter with PyJWT. If the package is missing, installs it. Throws the reason
 * if that is not possible.
 */
export async function findPyJwt(log: (line: string) => void): Promise<string> {
  const found = await probe()
  if (found !== undefined) return found
  const failure = await install(['python3-jwt'], 'the tests with PyJWT', log)
  const installed = failure === undefined ? await probe() : undefined
  if (installed === undefined)
    throw new Error(
      `no Python with PyJWT was found, and ${failure ?? 'installing it did not change that'}`,
    )
  return installed
}

/** Only the system's own Python finds the packages of Debian, so it is tried first. */
async function probe(): Promise<string | undefined> {
  for (const command of ['/usr/bin/python3', 'python3']) {
    const program = 'import jwt; jwt.InvalidTokenError'
    const result = await run(command, ['-c', program], { timeout: 30_000 }).catch(() => undefined)
    if (result !== undefined) return command
  }
  return undefined
}

/** Starts a tool server that is written in plain Python and verifies tokens with PyJWT. */
export async function startPyJwt(command: string): Promise<PyJwtPeer> {
  const secret = randomBytes(32).toString('base64url')
  const { facts, close } = await startPython<{ port: number; validatesCrit: boolean }>([server], {
    command,
    env: { JWT_SECRET: secret, JWT_ISSUER: issuer, JWT_AUDIENCE: audience },
  })
  return {
    tools: {
      http: `http://127.0.0.1:${facts.port}/mcp`,
      calls: { shelf_list_books: {} },
      auth: { pattern: 'jwt', secret, issuer, audience },
    },
    validatesCrit: facts.validatesCrit,
    close,
  }
}
