import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../complain.ts'

/** Something to read. */
export interface Input {
  /** What it is called in what is told. */
  name: string
  open(): AsyncIterable<Buffer>
}

/** What a folder is searched for. */
const ending = /\.(json|ndjson|jsonl)$/i
/** Large pieces: there are few of them, and the next is read while one is judged. */
const highWaterMark = 1024 * 1024

/** What the words of the command line stand for: files, folders with all below them, and standard input. */
export function inputsOf(
  words: readonly string[],
  stdin: NodeJS.ReadStream = process.stdin,
): Input[] {
  if (words.length === 0 && stdin.isTTY) {
    throw new UsageError(
      'there is nothing to validate. Name files or folders, or send deliveries to its standard input, as in: touchstone validate < deliveries.ndjson',
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

/** A path that cannot be read stays: what is wrong with it shows when it is opened. */
function filesAt(path: string): string[] {
  if (!isFolder(path)) return [path]
  const found = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  if (found.length === 0)
    throw new UsageError(`${path} holds no file that ends in .json, .ndjson or .jsonl`)
  return found.sort()
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
