import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { Creation, Journal, Leftovers, Undo } from './checks/shared/journal.ts'
import { isObject } from './engine/index.ts'
import type { Redactor } from './wire/index.ts'

/** The name of the journal in the folder of the reports. */
export const journalName = 'created.ndjson'

/** A line of the file. The first and the last line of a run contain its id. */
type Line =
  | { run: string; is: 'open' | 'closed' }
  | { begin: string; section: string; creation: Creation }
  | { end: string; section: string; undo?: Undo }
  | { change: Undo; section: string }
  | { undone: Pick<Undo, 'method' | 'url'>; section: string }

/**
 * The journals of a run, in one file of JSON lines. Its folder must exist. Several runs can write
 * to the same file. Each line is written immediately, so that it is kept if the process is killed.
 */
export class JournalFile {
  readonly path: string
  private readonly redact: Redactor
  private readonly run = randomBytes(4).toString('hex')
  private count = 0
  private isOpen = false
  private hasFailed = false

  constructor(path: string, redact: Redactor) {
    this.path = path
    this.redact = redact
  }

  /** The journal of a section of the target file. */
  of(section: string): Journal {
    return {
      begin: (creation) => {
        this.count += 1
        const key = `${this.run}-${this.count}`
        this.write({
          begin: key,
          section,
          creation: { ...creation, url: this.redact(creation.url) },
        })
        return key
      },
      end: (key, undo) =>
        this.write({
          end: key,
          section,
          ...(undo === undefined ? {} : { undo: this.withoutCredentials(undo) }),
        }),
      change: (undo) => this.write({ change: this.withoutCredentials(undo), section }),
      undone: ({ method, url }) =>
        this.write({ undone: { method, url: this.redact(url) }, section }),
    }
  }

  /**
   * Ends the run. Deletes the file if nothing is left. Returns how many creations and changes are
   * left.
   */
  close(): number {
    const left = this.countLeft()
    if (left === 0) rmSync(this.path, { force: true })
    else if (this.isOpen) this.append({ run: this.run, is: 'closed' })
    return left
  }

  /** How many creations and changes are left, including those of other runs. */
  countLeft(): number {
    return countLeft(readJournal(this.path).sections)
  }

  /** Copies only the members of `Undo`. A request also has headers, which contain a token. */
  private withoutCredentials({ method, url, body, name, mark }: Undo): Undo {
    return {
      method,
      url: this.redact(url),
      ...(body === undefined ? {} : { body }),
      ...(name === undefined ? {} : { name }),
      ...(mark === undefined ? {} : { mark }),
    }
  }

  private write(line: Line): void {
    if (!this.isOpen) {
      this.isOpen = true
      this.append({ run: this.run, is: 'open' })
    }
    this.append(line)
  }

  private append(line: Line): void {
    if (this.hasFailed) return
    try {
      appendFileSync(this.path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    } catch {
      // A full disk does not end the run. The reporters print that they cannot write.
      this.hasFailed = true
    }
  }
}

export interface JournalContents {
  /** What runs left, by the sections of the target file. */
  readonly sections: ReadonlyMap<string, Leftovers>
  /** Whether a run did not end: it was killed, or is still running. */
  readonly hasOpenRun: boolean
}

/**
 * Reads a journal. A missing file counts as an empty journal. Ignores lines that are cut off, and
 * lines that no run has written. Throws the error of the system if the file cannot be read.
 */
export function readJournal(path: string): JournalContents {
  const open = new Set<string>()
  const found = new Map<string, { undos: Map<string, Undo>; unanswered: Map<string, Creation> }>()
  for (const line of linesOf(path)) {
    if ('run' in line) {
      if (line.is === 'open') open.add(line.run)
      else open.delete(line.run)
      continue
    }
    const { undos, unanswered } = found.get(line.section) ?? {
      undos: new Map<string, Undo>(),
      unanswered: new Map<string, Creation>(),
    }
    found.set(line.section, { undos, unanswered })
    if ('begin' in line) unanswered.set(line.begin, line.creation)
    if ('end' in line) unanswered.delete(line.end)
    const undo = 'change' in line ? line.change : 'end' in line ? line.undo : undefined
    // If a setting was changed several times, only the first undo restores the original value.
    if (undo !== undefined && !undos.has(keyOf(undo))) undos.set(keyOf(undo), undo)
    if ('undone' in line) undos.delete(keyOf(line.undone))
  }
  return {
    sections: new Map(
      [...found].map(([section, { undos, unanswered }]) => [
        section,
        { undos: [...undos.values()], unanswered },
      ]),
    ),
    hasOpenRun: open.size > 0,
  }
}

/** How many creations and changes are left. */
const countLeft = (sections: ReadonlyMap<string, Leftovers>): number =>
  [...sections.values()].reduce(
    (sum, { undos, unanswered }) => sum + undos.length + unanswered.size,
    0,
  )

const keyOf = ({ method, url }: Pick<Undo, 'method' | 'url'>) => `${method} ${url}`

function linesOf(path: string): Line[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value = JSON.parse(line) as unknown
      return isLine(value) ? [value] : []
    } catch {
      return []
    }
  })
}

const isText = (value: unknown): value is string => typeof value === 'string'

function isLine(value: unknown): value is Line {
  if (!isObject(value)) return false
  const { run, is, section, begin, creation, end, undo, change, undone } = value
  if (run !== undefined) return isText(run) && (is === 'open' || is === 'closed')
  if (!isText(section)) return false
  if (begin !== undefined) return isText(begin) && isRequest(creation) && isText(creation.mark)
  if (end !== undefined) return isText(end) && (undo === undefined || isRequest(undo))
  return isRequest(change) || isRequest(undone)
}

const isRequest = (value: unknown): value is Undo =>
  isObject(value) &&
  isText(value['method']) &&
  isText(value['url']) &&
  ['name', 'mark'].every((key) => value[key] === undefined || isText(value[key]))
