import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startListening } from './listening-process.ts'
import { listVerdicts } from './reviewed.ts'

const program = fileURLToPath(new URL('fastmcp/jwt-server.ts', import.meta.url))

// A widely used framework that calls the server's own verification of tokens. Every line of the
// golden file was reviewed; fastmcp.md contains the reasons.
test('the verdicts on FastMCP with tokens are those that were reviewed', async ({
  onTestFinished,
}) => {
  const auth = {
    pattern: 'jwt' as const,
    secret: randomBytes(32).toString('base64url'),
    issuer: 'https://issuer.example',
    audience: 'shelf',
  }
  const { origin, close } = await startListening([
    '--import',
    'tsx',
    program,
    auth.secret,
    auth.issuer,
    auth.audience,
  ])
  onTestFinished(close)
  const tools = { http: `${origin}/mcp`, sse: `${origin}/sse`, calls: { shelf_count_books: {} } }
  await expect(await listVerdicts({ ...tools, auth }, { topics: ['jwt'] })).toMatchFileSnapshot(
    'fastmcp-jwt.golden.txt',
  )
})
