import type { LineRewriter } from '../../../../mocks/stateful/tools.ts'
import { fault, over, type MakeToolsDeviation } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

const writes = (change: (line: string, hit: Hit) => ReturnType<LineRewriter>): MakeToolsDeviation =>
  over(['stdio'], (hit) => ({ lines: (line) => change(line, hit) }))

/** Standard output, and the end of a subprocess. */
export const lines = [
  fault(
    'says-hello-on-standard-output',
    'Begins with a line for people.',
    ['TOOL-STDIO-02'],
    writes((line, hit) => {
      if (!line.includes('"serverInfo"')) return line
      hit()
      return `shelf: ready\n${line}`
    }),
  ),
  fault(
    'logs-to-standard-output',
    'Writes a line for people before each page of a search.',
    ['TOOL-STDIO-02'],
    writes((line, hit) => {
      if (!line.includes('"content"')) return line
      hit()
      return `INFO: called\n${line}`
    }),
  ),
  fault(
    'standard-output-is-no-utf-8',
    'Writes the answer to the handshake in Latin 1.',
    ['TOOL-STDIO-02'],
    writes((line, hit) => {
      if (!line.includes('"serverInfo":{')) return line
      hit()
      return Buffer.from(
        `${line.replace('"serverInfo":{', '"serverInfo":{"motto":"lu, relu, \u00e9mu",')}\n`,
        'latin1',
      )
    }),
  ),

  fault(
    'outlives-its-input',
    'Waits for something when its input is closed, and does not end.',
    ['TOOL-STDIO-03'],
    over(['stdio'], (hit) => ({
      message(direction, message) {
        // A request that nobody sent is never answered, and so the server waits.
        if (direction === 'in')
          return message['method'] === 'initialize'
            ? [message, { jsonrpc: '2.0', id: 'within', method: 'ping' }]
            : message
        if (message['id'] !== 'within') return message
        hit()
        return undefined
      },
    })),
  ),
]
