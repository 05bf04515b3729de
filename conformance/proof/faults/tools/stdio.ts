import type { LineRewriter } from '../../../../mocks/stateful/tools.ts'
import { fault, over, type MakeToolsDeviation } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

const rewriteLines = (
  change: (line: string, hit: Hit) => ReturnType<LineRewriter>,
): MakeToolsDeviation => over(['stdio'], (hit) => ({ lines: (line) => change(line, hit) }))

/**
 * Ends the process when a call arrives while another one of the same session is in progress, if
 * `isSensitive` returns true for the names of the two tools.
 */
const endInOverlap = (isSensitive: (tool: string, running: readonly string[]) => boolean) =>
  over(['http', 'stdio'], (hit) => {
    const running = new WeakMap<object, string[]>()
    return {
      async aroundValidation(call, next) {
        if (call.session.transport !== 'stdio') return next()
        const own = running.get(call.session) ?? []
        running.set(call.session, own)
        const { name } = call.tool
        if (isSensitive(name, own)) {
          hit()
          await call.session.close()
        }
        own.push(name)
        return next().finally(() => own.splice(own.indexOf(name), 1))
      },
    }
  })

/** Faults of standard output, and of the exit of the subprocess. */
export const stdioFaults = [
  fault(
    'banner-on-standard-output',
    'Writes a line that is not JSON before the result of initialize.',
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

  fault(
    'ends-in-overlapping-calls',
    'Over stdio, ends when a call arrives while another call is in progress.',
    ['TOOL-STDIO-04'],
    endInOverlap((_, running) => running.length > 0),
  ),
  fault(
    'ends-in-overlapping-calls-of-a-tool',
    'Over stdio, ends when a call of a tool arrives while another call of it is in progress.',
    ['TOOL-STDIO-04'],
    endInOverlap((tool, running) => running.includes(tool)),
  ),
]
