import { LineSplitter } from './lines.ts'
import { isSpace, newline, type Splitter, type ValueHandler } from './value.ts'
import { JsonSplitter } from './json.ts'

export type { ValueHandler } from './value.ts'

/** The layout of a file is decided after at most this many bytes. */
const headSize = 1024 * 1024

/**
 * Splits a file into values. The file has one value per line, or JSON in any layout; its first
 * bytes show which.
 */
export class FileSplitter implements Splitter {
  private readonly handler: ValueHandler
  private head: Buffer = Buffer.alloc(0)
  private splitter: Splitter | undefined

  constructor(handler: ValueHandler) {
    this.handler = handler
  }

  feed(chunk: Buffer): void {
    if (this.splitter !== undefined) return this.splitter.feed(chunk)
    this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk])
    this.start(this.head.length >= headSize)
  }

  end(): void {
    if (this.splitter === undefined) this.start(true)
    this.splitter?.end()
  }

  private start(decide: boolean): void {
    // A byte order mark has three bytes, so at least three are needed to recognize it.
    if (this.head.length < 3 && !decide) return
    const head = withoutMark(this.head)
    const layout = layoutOf(head, decide)
    if (layout === undefined) return
    this.splitter =
      layout === 'lines' ? new LineSplitter(this.handler) : new JsonSplitter(this.handler)
    this.head = Buffer.alloc(0)
    this.splitter.feed(head)
  }
}

/**
 * Returns the layout of a file that begins with `head`. Undefined if more bytes are needed and
 * `decide` is false.
 */
function layoutOf(head: Buffer, decide: boolean): 'lines' | 'values' | undefined {
  const first = head[head.findIndex((byte) => !isSpace(byte))]
  if (first === undefined) return decide ? 'lines' : undefined
  if (first === '['.charCodeAt(0)) return 'values'
  if (first !== '{'.charCodeAt(0)) return 'lines'
  // If one complete line is a JSON object, the file is not a single indented document.
  let from = 0
  for (let at = head.indexOf(newline); at !== -1; at = head.indexOf(newline, from)) {
    if (head[from] === first && isJson(head.toString('utf8', from, at))) return 'lines'
    from = at + 1
  }
  return decide ? 'values' : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Removes a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? bytes.subarray(3) : bytes
}
