import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test, type TestContext } from 'vitest'
import { install, installTimeoutMs } from '../interop/apt.testing.ts'
import { startServerProcess } from '../server-process.ts'
import { listVerdicts } from './reviewed.ts'

const run = promisify(execFile)
const server = fileURLToPath(new URL('pyjwt/server.py', import.meta.url))
const log = (line: string) => process.stderr.write(`\n${line}\n`)

/** A Python interpreter with PyJWT, or the reason why there is none. */
let python: { command: string } | string
beforeAll(async () => {
  python = await findPyJwt()
  if (typeof python === 'string' && !process.env['CI'])
    log(`SKIPPED: the tests with PyJWT. ${python}`)
}, installTimeoutMs)

async function findPyJwt(): Promise<typeof python> {
  const found = await probe()
  if (found !== undefined) return found
  const failure = await install(['python3-jwt'], 'the tests with PyJWT', log)
  const installed = failure === undefined ? await probe() : undefined
  return (
    installed ??
    `no Python with PyJWT was found, and ${failure ?? 'installing it did not change that'}`
  )
}

/** Only the system's own Python finds the packages of Debian, so it is tried first. */
async function probe(): Promise<{ command: string } | undefined> {
  for (const command of ['/usr/bin/python3', 'python3']) {
    const args = ['-c', 'import jwt; jwt.InvalidTokenError']
    const result = await run(command, args, { timeout: 600_000 }).catch(() => undefined)
    if (result !== undefined) return { command }
  }
  return undefined
}

/** In CI no test may be skipped. */
function requirePyJwt({ skip }: TestContext): string {
  if (typeof python === 'object') return python.command
  if (process.env['CI']) throw new Error(python)
  return skip(python)
}

// A widely used library in another language verifies the tokens. Every line of the golden files was
// reviewed; pyjwt.md contains the reasons.
test('the verdicts on tokens that PyJWT verifies are those that were reviewed', async (context) => {
  const command = requirePyJwt(context)
  const auth = {
    pattern: 'jwt' as const,
    secret: randomBytes(32).toString('base64url'),
    issuer: 'https://issuer.example',
    audience: 'shelf',
  }
  const { facts, close } = await startServerProcess<{ port: number; validatesCrit: boolean }>(
    command,
    [server],
    {
      JWT_SECRET: auth.secret,
      JWT_ISSUER: auth.issuer,
      JWT_AUDIENCE: auth.audience,
    },
  )
  context.onTestFinished(close)
  const http = `http://127.0.0.1:${facts.port}/mcp`
  await expect(
    await listVerdicts({ http, calls: { shelf_list_books: {} }, auth }, { topics: ['jwt'] }),
  ).toMatchFileSnapshot(facts.validatesCrit ? 'pyjwt.golden.txt' : 'pyjwt-before-2026.golden.txt')
})
