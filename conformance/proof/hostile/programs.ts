import type { Behavior } from './behavior.ts'

/** A program that a tool server target starts, as code for `node -e`. */
export interface ProgramBehavior extends Pick<Behavior, 'name' | 'description' | 'isHarmless'> {
  readonly code: string
}

/**
 * The code of a minimal tool server. Code that follows it can replace `respond(message)`, and can
 * write a line with `print(value)`.
 */
const minimal = `
const print = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
const tool = { name: 'shelf_get_book', description: 'Gets a book by its id.', inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'The id of the book.' } } } }
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'hostile', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'a book' }] }),
  ping: () => ({}),
}
let respond = ({ id, method, params }) => {
  if (id === undefined) return
  const result = results[method]
  print(result ? { jsonrpc: '2.0', id, result: result(params ?? {}) } : { jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } })
}
let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) if (line.trim() !== '') { let message; try { message = JSON.parse(line) } catch { continue } respond(message) }
})
process.stdout.on('error', () => process.exit())
const exitAtEnd = () => process.stdin.on('end', () => process.exit())
const pour = (piece) => { const more = () => { while (process.stdout.write(piece)); }; process.stdout.on('drain', more); more() }
`

const program = (name: string, description: string, code: string): ProgramBehavior => ({
  name,
  description,
  code: minimal + code,
})

/** A tool server that is not hostile. */
export const plainProgram: ProgramBehavior = program(
  'plain',
  'lists a tool, and responds to calls of it',
  'exitAtEnd()',
)

/** Hostile programs. Some do not end when their standard input does. */
export const programBehaviors: readonly ProgramBehavior[] = [
  program('endless line', 'prints a line that never ends', `exitAtEnd(); pour('x'.repeat(65536))`),
  program(
    'endless lines',
    'prints empty lines without end',
    `exitAtEnd(); pour('\\n'.repeat(65536))`,
  ),
  program(
    'endless notifications',
    'prints log notifications without end',
    `
      exitAtEnd()
      pour((JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }) + '\\n').repeat(100))
    `,
  ),
  program(
    'endless requests',
    'sends pings to the client without end',
    `
      exitAtEnd()
      let n = 0
        const more = () => { while (process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: 's' + (n += 1), method: 'ping' }) + '\\n'));
      }
      process.stdout.on('drain', more)
      more()
    `,
  ),
  program(
    'responses to nothing',
    'prints responses with unknown ids without end',
    `
      exitAtEnd()
      pour((JSON.stringify({ jsonrpc: '2.0', id: 987654321, result: {} }) + '\\n').repeat(100))
    `,
  ),
  program(
    'endless standard error',
    'writes to standard error without end',
    `
      exitAtEnd()
        const e = () => { while (process.stderr.write('warning: '.repeat(1000)));
      }
      process.stderr.on('drain', e)
      e()
    `,
  ),
  program(
    'lines of 15 MB',
    'adds a string of 15 MB to each result',
    `
      exitAtEnd()
      const x = 'x'.repeat(15 * 1024 * 1024)
      for (const [name, result] of Object.entries(results)) results[name] = (params) => ({ ...result(params), x })
    `,
  ),
  program(
    'deep lines',
    'adds arrays nested 100,000 deep to each result',
    `
      exitAtEnd()
      const deep = '['.repeat(100000) + ']'.repeat(100000)
      const old = print
      respond = ({ id, method, params }) => { if (id !== undefined && results[method]) process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + JSON.stringify(results[method](params ?? {})).slice(0, -1) + (method === 'ping' ? '' : ',') + '"x":' + deep + '}}\\n') }
    `,
  ),
  program(
    'lines of many objects',
    'adds 4,000,000 objects to each result',
    `
      exitAtEnd()
      const many = '[' + '{},'.repeat(4000000) + '0]'
      respond = ({ id, method, params }) => { if (id !== undefined && results[method]) process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":' + JSON.stringify(results[method](params ?? {})).slice(0, -1) + (method === 'ping' ? '' : ',') + '"x":' + many + '}}\\n') }
    `,
  ),
  program(
    '20,000 tools',
    'lists 20,000 tools',
    `
      exitAtEnd()
      results['tools/list'] = () => ({ tools: Array.from({ length: 20000 }, (_, n) => ({ ...tool, name: 'shelf_get_' + n })) })
    `,
  ),
  program(
    'endless pages',
    'lists tools on an endless number of pages',
    `
      exitAtEnd()
      let page = 0
      results['tools/list'] = () => ({ tools: [{ ...tool, name: 'shelf_get_' + page }], nextCursor: String((page += 1)) })
    `,
  ),
  program(
    'the same page',
    'returns the same cursor with each page',
    `
      exitAtEnd()
      results['tools/list'] = () => ({ tools: [tool], nextCursor: 'x' })
    `,
  ),
  program(
    'deep input schema',
    'lists a tool whose schema is nested 5,000 deep',
    `
      exitAtEnd()
      let schema = { type: 'string' }
      for (let n = 0; n < 5000; n += 1) schema = { type: 'object', properties: { a: schema } }
      results['tools/list'] = () => ({ tools: [{ ...tool, inputSchema: schema }] })
    `,
  ),
  program(
    'circular input schema',
    'lists a tool whose schema refers to itself',
    `
      exitAtEnd()
      results['tools/list'] = () => ({ tools: [{ ...tool, inputSchema: { type: 'object', $ref: '#', properties: { a: { $ref: '#/properties/a' } } } }] })
    `,
  ),
  program(
    'schema with a slow pattern',
    'lists a tool whose schema has a pattern that takes exponential time',
    `
      exitAtEnd()
      results['tools/list'] = () => ({ tools: [{ ...tool, inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'string', pattern: '^(a+)+$', minLength: 40, default: 'a'.repeat(40) + '!', examples: ['a'.repeat(40) + '!'] } } } }] })
    `,
  ),
  program(
    'schema that is too large',
    'lists a tool whose array has at least 10^9 elements',
    `
      exitAtEnd()
      results['tools/list'] = () => ({ tools: [{ ...tool, inputSchema: { type: 'object', required: ['ids', 'text'], properties: { ids: { type: 'array', minItems: 1e9, items: { type: 'string' } }, text: { type: 'string', minLength: 1e9 } } } }] })
    `,
  ),
  program(
    'batches',
    'puts each response into an array',
    `
      exitAtEnd()
      const one = print
      respond = ({ id, method, params }) => { if (id !== undefined) one([{ jsonrpc: '2.0', id, result: (results[method] ?? (() => ({})))(params ?? {}) }]) }
    `,
  ),
  program(
    'bytes that are not UTF-8',
    'prints random bytes between lines',
    `
      exitAtEnd()
      const old = respond
        respond = (message) => { process.stdout.write(Buffer.concat([Buffer.alloc(500, 0xff), Buffer.from('\\n')]))
      old(message) }
    `,
  ),
  program(
    'one character at a time',
    'prints each response character by character',
    `
      exitAtEnd()
      const queue = []
      const write = process.stdout.write.bind(process.stdout)
        process.stdout.write = (text) => { queue.push(...String(text))
      return true }
      setInterval(() => { if (queue.length > 0) write(queue.shift()) }, 1)
    `,
  ),
  program(
    'echo of the environment',
    'prints its environment and arguments',
    `
      exitAtEnd()
      results['tools/call'] = () => ({ content: [{ type: 'text', text: JSON.stringify([process.env, process.argv]) }] })
    `,
  ),
  program(
    'exits at each call',
    'exits at each call of a tool',
    `exitAtEnd(); results['tools/call'] = () => process.exit(1)`,
  ),
  program(
    'exits at the third message',
    'exits at the third message',
    `
      exitAtEnd()
      let n = 0
      const old = respond
        respond = (message) => { if ((n += 1) === 3) process.exit(7)
      old(message) }
    `,
  ),
  program(
    'kills itself',
    'ends with SIGKILL at each call',
    `
      exitAtEnd()
      results['tools/call'] = () => process.kill(process.pid, 'SIGKILL')
    `,
  ),
  program(
    'closes its output',
    'closes its standard output and keeps running',
    `
      exitAtEnd()
        results['tools/list'] = () => { process.stdout.end()
      return {} }
    `,
  ),
  program(
    'closes its input',
    'closes its standard input and keeps running',
    `
        results['tools/list'] = () => { process.stdin.destroy()
        setInterval(() => {}, 1000)
      setTimeout(() => process.exit(), 60000); return { tools: [tool] } }
    `,
  ),
  program(
    'ignores signals',
    'ignores SIGTERM and the end of its input',
    `
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
      setInterval(() => {}, 1000)
      setTimeout(() => process.exit(), 60000)
    `,
  ),
  program(
    'a process in a new session',
    'starts a process in another session, which keeps the pipes open',
    `
      exitAtEnd()
      require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref()
    `,
  ),
  program(
    'never initialized',
    'responds to nothing but ping',
    `
      exitAtEnd()
      delete results.initialize
      const old = respond
      respond = (message) => { if (message.method === 'ping') old(message) }
    `,
  ),
  program(
    'busy',
    'never reads its standard input',
    `
      process.stdin.pause()
      setInterval(() => {}, 1000)
      setTimeout(() => process.exit(), 60000)
    `,
  ),
  program(
    'asks forever',
    'sends a sampling request to the client at each call, and another after each response',
    `
      exitAtEnd()
      let n = 0
      const ask = () => print({ jsonrpc: '2.0', id: 's' + (n += 1), method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } })
      const old = respond
      respond = (message) => { if (message.method === undefined) { ask(); return } if (message.method === 'tools/call') { ask(); return } old(message) }
    `,
  ),
]
