import { closeSync, openSync, readSync } from 'node:fs'

/** What errors of the system mean, as phrases that follow the name of a file. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

/** Returns why a file cannot be read, as a phrase. */
export function whyUnreadable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return meanings[code] ?? message
}

/** Returns why a file or a folder cannot be written or created, as a phrase. */
export function whyUnwritable(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? 'its folder does not exist, or cannot be created'
    : whyUnreadable(error)
}

/** The content of a file, or why it cannot be read. */
export type ReadFile =
  { readonly text: string } | { readonly wrong: string; readonly isMissing: boolean }

/** Files such as /dev/zero never end, so files are read only up to this size. */
const maxMegabytes = 256

const chunkBytes = 1024 * 1024

/**
 * Reads a file that the user has named. If it cannot be read, returns the reason, as a phrase that
 * follows its name.
 */
export function readUserFile(path: string): ReadFile {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const chunks: Buffer[] = []
    let bytes = 0
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes)
      const length = readSync(file, chunk)
      if (length === 0) break
      chunks.push(chunk.subarray(0, length))
      bytes += length
      if (bytes > maxMegabytes * chunkBytes)
        return { wrong: `it has more than ${maxMegabytes} MB`, isMissing: false }
    }
    return {
      text: Buffer.concat(chunks)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    }
  } catch (error) {
    return {
      wrong: whyUnreadable(error),
      isMissing: (error as NodeJS.ErrnoException).code === 'ENOENT',
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * The deepest nesting of lists and objects. Deeper nesting would exceed the stack, or take minutes
 * to parse.
 */
const maxDepth = 500

const tooDeep = `is nested more than ${maxDepth} levels deep`

/** Returns what is wrong with JSON that is nested too deeply, as a phrase; otherwise undefined. */
export function findDeepJson(text: string): string | undefined {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth > maxDepth) return tooDeep
    } else if (character === ']' || character === '}') depth -= 1
  }
  return undefined
}

/** Parses JSON. If that fails, returns the reason, as a phrase that follows the file's name. */
export function parseJson(text: string): { value: unknown } | { wrong: string } {
  const wrong = findDeepJson(text)
  if (wrong !== undefined) return { wrong }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { wrong: text.trim() === '' ? 'is empty' : 'is not JSON' }
  }
}

/** Matches the brackets of lists and maps in the flow style of YAML: `[a, {b: c}]`. */
const brackets = /[[\]{}]/g

/** Matches nested lists and maps that begin on the same line: `- - - a`. */
const nestedLine = new RegExp(`^[ \\t]*(?:[-?:][ \\t]+){${maxDepth}}`, 'm')

/** Matches indentation that only deeply nested lists and maps have. */
const indentedLine = new RegExp(`^ {${maxDepth * 2},}[^ \\n]`, 'm')

/** Returns what is wrong with YAML that is nested too deeply, as a phrase; otherwise undefined. */
export function findDeepYaml(text: string): string | undefined {
  let depth = 0
  // Counts brackets in strings too, because only a parser can find strings in YAML.
  for (const [bracket] of text.matchAll(brackets)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1))
    if (depth > maxDepth) return tooDeep
  }
  return nestedLine.test(text) || indentedLine.test(text) ? tooDeep : undefined
}
