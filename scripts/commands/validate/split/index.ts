import { LineSplitter } from './lines.ts'
import { isSpace, newline, type Splitter, type ValueHandler } from './value.ts'
import { JsonSplitter } from './json.ts'

export type { ValueHandler } from './value.ts'

/** So much of a file is looked at before its layout is guessed. */
const enough = 1024 * 1024

/** Splits a file into its values: one to a line, or JSON in any other layout. Its beginning tells which. */
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
    this.start(this.head.length >= enough)
  }

  end(): void {
    if (this.splitter === undefined) this.start(true)
    this.splitter?.end()
  }

  private start(decide: boolean): void {
    // The mark before some files is as long.
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

/** Undefined where more has to come before it can be told, unless it has to be told now. */
function layoutOf(head: Buffer, decide: boolean): 'lines' | 'values' | undefined {
  const first = head[head.findIndex((byte) => !isSpace(byte))]
  if (first === undefined) return decide ? 'lines' : undefined
  if (first === '['.charCodeAt(0)) return 'values'
  if (first !== '{'.charCodeAt(0)) return 'lines'
  // In a document of many lines none but the first begins with a brace and is whole by itself.
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

/** Without the mark that some editors put before UTF-8. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? bytes.subarray(3) : bytes
}
