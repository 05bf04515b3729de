import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve as resolvePath } from 'node:path'
import { parse } from 'yaml'
import { UsageError } from '../../print-error.ts'

export type DocumentJson = { [key: string]: unknown }

/** A value in a document, with the file that contains it, which its references are relative to. */
export interface Located<Value = unknown> {
  readonly value: Value
  readonly file: string
}

export const isObject = (value: unknown): value is DocumentJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a member of an object, as an object. Empty if there is none. */
export const objectAt = (value: unknown, key: string): DocumentJson => {
  const member = isObject(value) ? value[key] : undefined
  return isObject(member) ? member : {}
}

const files = new Map<string, { text: string; value: unknown }>()

/** Reads a JSON or YAML file. Throws a `UsageError` if it cannot be parsed. */
export function readDocument(file: string): Located {
  const text = readFileSync(file, 'utf8')
  const known = files.get(file)
  if (known?.text === text) return { value: known.value, file }
  try {
    const value = (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as unknown
    files.set(file, { text, value })
    return { value, file }
  } catch (error) {
    throw new UsageError(
      `${file} is not valid ${file.endsWith('.json') ? 'JSON' : 'YAML'}: ${(error as Error).message.split('\n')[0]}`,
    )
  }
}

/** Follows references until a node has none. Returns a node without a reference unchanged. */
export function follow(node: Located): Located {
  const visited = new Set<unknown>()
  let current = node
  while (isObject(current.value) && typeof current.value.$ref === 'string') {
    if (visited.has(current.value))
      throw new UsageError(`${current.file}: the reference ${current.value.$ref} leads to itself`)
    visited.add(current.value)
    current = resolve(current.value.$ref, current.file)
  }
  return current
}

/** Returns what a reference points to. Throws a `UsageError` if there is none. */
export function resolve(reference: string, from: string): Located {
  const [path = '', pointer = ''] = reference.split('#')
  const document = path === '' ? readDocument(from) : documentAt(path, reference, from)
  if (pointer === '') return document
  let value = document.value
  for (const step of pointer.split('/').slice(1).map(decodeStep))
    value = typeof value === 'object' && value !== null ? (value as DocumentJson)[step] : undefined
  if (!pointer.startsWith('/') || value === undefined)
    throw new UsageError(`${from}: the reference ${reference} points to nothing`)
  return { value, file: document.file }
}

function documentAt(path: string, reference: string, from: string): Located {
  if (isObject(readDocument(from).value) && (readDocument(from).value as DocumentJson).$id === path)
    return readDocument(from)
  const file = resolvePath(dirname(from), decodeURIComponent(path))
  if (/^[a-z]+:/i.test(path) || !existsSync(file))
    throw new UsageError(
      `${from}: the reference ${reference} leads to no file.\nNext: bundle the document into one file, for example with npx @redocly/cli bundle.`,
    )
  return readDocument(file)
}

const decodeStep = (step: string) =>
  decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
