/** The parts of a program, in JavaScript. */
interface ProgramParts {
  /** Declarations that the other parts use. */
  declarations?: string
  /** The list of tools. */
  tools: string
  /** A function that returns the result of `tools/call`, or its promise, for its `params`. */
  call: string
}

/** The arguments with which Node runs a small tool server over stdio. */
export const argumentsOf = (parts: ProgramParts): string[] => ['-e', programOf(parts)]

const programOf = ({ declarations = '', tools, call }: ProgramParts) => `
${declarations}
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'one_mcp', version: '1' } }),
  'tools/list': () => ({ tools: ${tools} }),
  'tools/call': ${call},
  ping: () => ({}),
}
require('readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = !Object.hasOwn(results, method)
    ? { error: { code: -32601, message: 'unknown' } }
    : { result: await results[method](params) }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
})`
