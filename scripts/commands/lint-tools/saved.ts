import { readFile } from 'node:fs/promises'
import { text as textFrom } from 'node:stream/consumers'
import { UsageError } from '../../complain.ts'
import { faultIn } from './fault.ts'
import type { Listed } from './listed.ts'

const forms =
  'a tools/list result ({ "tools": […] }), the whole JSON-RPC response, or an array of tools'

/** Reads the definitions of a file, or of standard input. Throws `UsageError` where there are none. */
export async function readTools(
  file: string | undefined,
  stdin: NodeJS.ReadStream = process.stdin,
): Promise<Listed> {
  const fromStdin = file === undefined || file === '-'
  if (file === undefined && stdin.isTTY)
    throw new UsageError(
      'there is nothing to judge. Name a file, or a server, as in: touchstone lint-tools --http http://127.0.0.1:8000/mcp',
    )
  const name = fromStdin ? 'standard input' : file
  return toolsIn(fromStdin ? await textFrom(stdin) : await textOf(file), name)
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const why: { readonly [code: string]: string } = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder',
      EACCES: 'it may not be read',
    }
    throw new UsageError(`${file} cannot be read: ${why[code] ?? message}`)
  }
}

/** Finds the definitions in a text; `name` is what it is called in errors. */
export function toolsIn(text: string, name: string): Listed {
  // As an HTTP server may send it: as events.
  const events = /^(event|id|data|:)/.test(text)
    ? [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => data)
    : []
  const found =
    events.length > 0
      ? events.map((data) => listIn(parsed(data, name))).find((list) => list !== undefined)
      : listIn(parsed(text.replace(/^\ufeff/, ''), name))
  if (found === undefined)
    throw new UsageError(`no tools found in ${name}. It has to hold ${forms}.`)
  return found
}

function parsed(text: string, name: string): unknown {
  if (text.trim() === '') throw new UsageError(`${name} is empty. It has to hold ${forms}.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    const before = text.slice(0, faultIn(text)).split('\n')
    throw new UsageError(
      `${name} is no JSON: line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${whatOf(error as Error)}`,
    )
  }
}

/** What the parser says, without the place and the piece of the text that it may add. */
const whatOf = ({ message }: Error) =>
  message.replace(/(, (\.\.\.)?".*is not valid JSON| in JSON at position.*)$/s, '')

function listIn(value: unknown): Listed | undefined {
  if (Array.isArray(value)) return { tools: value, at: '$', more: false }
  const { tools, nextCursor, result, error } = (value ?? {}) as Record<string, unknown>
  if (Array.isArray(tools))
    return { tools, at: '$.tools', more: nextCursor !== undefined && nextCursor !== null }
  if (error !== undefined)
    throw new UsageError(
      `no tools found: the response is an error: ${JSON.stringify(error).slice(0, 200)}`,
    )
  const inner = result === undefined || Array.isArray(result) ? undefined : listIn(result)
  return inner === undefined ? undefined : { ...inner, at: inner.at.replace('$', '$.result') }
}
