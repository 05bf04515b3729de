import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../print-error.ts'

export interface Input {
  /** The name of the input, for output and errors. */
  name: string
  open(): AsyncIterable<Buffer>
}

/** Matches the names of the files that are read in folders. */
const ending = /\.(json|ndjson|jsonl)$/i
/** The chunk size in bytes: large, so that the next chunk is read while one is judged. */
const highWaterMark = 1024 * 1024

/**
 * Resolves the arguments: files, folders with all files below them, and standard input (`-`, or no
 * arguments). Throws a `UsageError` if there is no input.
 */
export function inputsOf(
  words: readonly string[],
  stdin: NodeJS.ReadStream = process.stdin,
): Input[] {
  if (words.length === 0 && stdin.isTTY) {
    throw new UsageError(
      'no input. Name files or folders, or send deliveries to standard input, as in: npx touchstone validate < deliveries.ndjson',
    )
  }
  return (words.length === 0 ? ['-'] : words).flatMap((word) =>
    word === '-' ? [{ name: 'stdin', open: () => stdin }] : filesAt(word).map(fileInput),
  )
}

function fileInput(path: string): Input {
  return {
    name: path,
    open: () => createReadStream(path, { highWaterMark }) as AsyncIterable<Buffer>,
  }
}

/** Returns the files at a path. Returns an unreadable path too: opening it reports the error. */
function filesAt(path: string): string[] {
  if (!isFolder(path)) return [path]
  const found = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  if (found.length === 0)
    throw new UsageError(`${path} does not contain a file that ends in .json, .ndjson or .jsonl`)
  return found.sort()
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
