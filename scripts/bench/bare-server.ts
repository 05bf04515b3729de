import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The baseline for the cost of node:http: responds to every request with the body that the parent
// process sent.
let body = ''
const server = createServer({ keepAliveTimeout: 60_000 }, (_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
})

process.on('message', (question: { body?: string }) => {
  body = question.body ?? body
  process.send?.(process.cpuUsage())
})
// The benchmark disconnects from this process when it has ended.
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  if (process.send === undefined) process.stdout.write(`${JSON.stringify({ port })}\n`)
  else process.send({ port })
})
