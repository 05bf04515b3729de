import { text as textFrom } from 'node:stream/consumers'
import { findDeepJson } from '../../../conformance/target-file/user-file.ts'
import { UsageError } from '../../print-error.ts'
import { readText } from '../read-text.ts'
import { findJsonError } from './json-error.ts'
import type { ToolList } from './tool-list.ts'

const forms =
  'a tools/list result ({ "tools": […] }), the whole JSON-RPC response, or an array of tools'

/** Reads definitions from a file or standard input. Throws `UsageError` if there are none. */
export async function readTools(
  file: string | undefined,
  stdin: NodeJS.ReadStream = process.stdin,
): Promise<ToolList> {
  const fromStdin = file === undefined || file === '-'
  if (file === undefined && stdin.isTTY)
    throw new UsageError(
      'no input. Name a file or a server, as in: npx touchstone lint-tools http://127.0.0.1:8000/mcp',
    )
  const name = fromStdin ? 'standard input' : file
  return toolsIn(fromStdin ? await textFrom(stdin) : readText(file), name)
}

/** Finds the definitions in a string. Errors contain `name`. */
export function toolsIn(text: string, name: string): ToolList {
  // An HTTP server may have returned the definitions as server-sent events.
  const events = /^(event|id|data|:)/.test(text)
    ? [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => data)
    : []
  const found =
    events.length > 0
      ? events.map((data) => listIn(parsed(data, name))).find((list) => list !== undefined)
      : listIn(parsed(text.replace(/^\ufeff/, ''), name))
  if (found === undefined)
    throw new UsageError(`no tools found in ${name}. It must contain ${forms}.`)
  return found
}

function parsed(text: string, name: string): unknown {
  if (text.trim() === '') throw new UsageError(`${name} is empty. It must contain ${forms}.`)
  const tooDeep = findDeepJson(text)
  if (tooDeep !== undefined) throw new UsageError(`${name} ${tooDeep}. It must contain ${forms}.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    const before = text.slice(0, findJsonError(text)).split('\n')
    throw new UsageError(
      `${name} is not JSON: line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${reasonOf(error as Error)}`,
    )
  }
}

/** Returns the message of the parser without the position and the excerpt. */
const reasonOf = ({ message }: Error) =>
  message.replace(/(, (\.\.\.)?".*is not valid JSON| in JSON at position.*)$/s, '')

function listIn(value: unknown): ToolList | undefined {
  if (Array.isArray(value)) return { tools: value, basePath: '$', more: false }
  const { tools, nextCursor, result, error } = (value ?? {}) as Record<string, unknown>
  if (Array.isArray(tools))
    return { tools, basePath: '$.tools', more: nextCursor !== undefined && nextCursor !== null }
  if (error !== undefined)
    throw new UsageError(
      `no tools found: the response is an error: ${JSON.stringify(error).slice(0, 200)}`,
    )
  const inner = result === undefined || Array.isArray(result) ? undefined : listIn(result)
  return inner === undefined
    ? undefined
    : { ...inner, basePath: inner.basePath.replace('$', '$.result') }
}
