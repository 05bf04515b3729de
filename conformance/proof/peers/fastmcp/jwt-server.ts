import { jwtVerify } from 'jose'
import { FastMCP } from 'fastmcp'
import { z } from 'zod'

// A program: serves a tool server with FastMCP that verifies tokens in `authenticate`, as the
// documentation of FastMCP shows.
const [secret, issuer, audience] = process.argv.slice(2)
const key = new TextEncoder().encode(secret)

const server = new FastMCP({
  name: 'shelf_mcp',
  version: '1.0.0',
  async authenticate(request) {
    const { authorization } = request.headers
    if (authorization === undefined)
      throw new Response('Unauthorized', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
    const [, token = ''] = /^Bearer (\S+)$/.exec(authorization) ?? []
    const options = { issuer: issuer!, audience: audience!, algorithms: ['HS256'] }
    const verified = await jwtVerify(token, key, options).catch(() => undefined)
    if (verified === undefined) throw new Response('Invalid token', { status: 403 })
    return { user: verified.payload.sub }
  },
})

server.addTool({
  name: 'shelf_count_books',
  description: 'Counts the books of the shelf. Accepts nothing; returns the number.',
  parameters: z.object({}),
  annotations: { title: 'Count books', readOnlyHint: true, openWorldHint: false },
  execute: async () => 'There are 50 books.',
})

await server.start({
  transportType: 'httpStream',
  httpStream: { host: '127.0.0.1', port: 8080 },
})
