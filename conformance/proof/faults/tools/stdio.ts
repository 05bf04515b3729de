import type { LineRewriter } from '../../../../mocks/stateful/tools.ts'
import { fault, over, type MakeToolsDeviation } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

const rewriteLines = (
  change: (line: string, hit: Hit) => ReturnType<LineRewriter>,
): MakeToolsDeviation => over(['stdio'], (hit) => ({ lines: (line) => change(line, hit) }))

/** Faults of standard output, and of the exit of the subprocess. */
export const stdioFaults = [
  fault(
    'banner-on-standard-output',
    'Writes a line that is not JSON when it starts.',
    ['TOOL-STDIO-02'],
    rewriteLines((line, hit) => {
      if (!line.includes('"serverInfo"')) return line
      hit()
      return `shelf: ready\n${line}`
    }),
  ),
  fault(
    'logs-to-standard-output',
    'Writes a line that is not JSON before each result.',
    ['TOOL-STDIO-02'],
    rewriteLines((line, hit) => {
      if (!line.includes('"content"')) return line
      hit()
      return `INFO: called\n${line}`
    }),
  ),
  fault(
    'standard-output-is-not-utf-8',
    'Writes the result of initialize in Latin-1.',
    ['TOOL-STDIO-02'],
    rewriteLines((line, hit) => {
      if (!line.includes('"serverInfo":{')) return line
      hit()
      return Buffer.from(
        `${line.replace('"serverInfo":{', '"serverInfo":{"motto":"lu, relu, \u00e9mu",')}\n`,
        'latin1',
      )
    }),
  ),

  fault(
    'does-not-exit',
    'Does not exit when its input is closed.',
    ['TOOL-STDIO-03'],
    over(['stdio'], (hit) => ({
      message(direction, message) {
        // A request that is never answered keeps the server running.
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
