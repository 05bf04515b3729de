import type { KeyKind } from './kinds.ts'
import { isGroup, type KeyGroup, type Leaf, type TargetSection } from './section.ts'

/** A key of the target file, with its path. */
export interface Key extends Leaf {
  /** For example `images.batch.url`. */
  readonly path: string
  /** The default, as it is written in the target file. */
  readonly fallback?: string
}

/** A key of the target file, as the help and reports describe it. */
export interface DescribedKey {
  readonly name: string
  readonly description: string
}

/** A section, or a group in a section, with its path. */
export interface LocatedGroup {
  readonly path: string
  readonly group: KeyGroup
}

/** Every key of the target file, in the order in which they are documented. */
export class Keys {
  readonly sections: readonly TargetSection[]
  readonly all: readonly Key[]
  /** Maps that contain keys. */
  readonly groups: readonly LocatedGroup[]
  private readonly keys: ReadonlyMap<string, Key>

  constructor(sections: readonly TargetSection[]) {
    this.sections = sections
    const all: Key[] = []
    const groups: LocatedGroup[] = []
    const visit = (path: string, found: KeyGroup): void => {
      groups.push({ path, group: found })
      for (const [name, member] of Object.entries(found.members)) {
        const inner = `${path}.${name}`
        if (isGroup(member)) visit(inner, member)
        else all.push({ ...member, ...fallbackOf(member), path: inner })
      }
    }
    for (const section of sections) visit(section.name, section)
    this.all = all
    this.groups = groups
    this.keys = new Map(all.map((key) => [key.path, key]))
  }

  find(path: string): Key | undefined {
    return this.keys.get(path)
  }

  /** Finds the key that had this path before it was renamed. */
  findRenamed(path: string): Key | undefined {
    return this.all.find(
      ({ path: current, formerName }) =>
        formerName !== undefined && `${sectionOf(current)}.${formerName}` === path,
    )
  }

  findGroup(path: string): KeyGroup | undefined {
    return this.groups.find((located) => located.path === path)?.group
  }

  /** The names directly within a section; for `''`, the names of the sections. */
  namesIn(path: string): string[] {
    return path === ''
      ? this.sections.map(({ name }) => name)
      : Object.keys(this.findGroup(path)?.members ?? {})
  }

  /** Every path that a check can need: sections, groups, keys, and the words of lists. */
  get paths(): string[] {
    return [
      ...this.groups.map(({ path }) => path),
      ...this.all.flatMap(({ path, kind, choices = [] }) => [
        path,
        ...(kind === 'words' ? choices.map((choice) => `${path}.${choice}`) : []),
      ]),
    ]
  }

  /** The keys to set for a path that a check can need, with their descriptions. */
  describe(path: string): DescribedKey[] {
    const key = this.find(path)
    const keys = key === undefined ? this.keysToSet(path) : [key]
    return keys.map(({ path: name, description }) => ({ name, description }))
  }

  /**
   * Describes what to set for paths that a check needs: `images.batch.url and images.batch.token`
   * for `images.batch`, and `job_events in hooks.testEvents` for `hooks.testEvents.job_events`.
   */
  nameNeeds(paths: readonly string[]): string {
    const names = paths.flatMap((path) => {
      if (this.find(sectionOf(path))?.kind === 'words')
        return [`${nameOf(path)} in ${sectionOf(path)}`]
      const keys = this.keysToSet(path)
      const instead = this.findGroup(path)?.instead
      const alternative = instead === undefined ? '' : ` (or ${sectionOf(path)}.${instead})`
      return keys.length === 0 ? [path] : keys.map((key) => `${key.path}${alternative}`)
    })
    return names.length < 2
      ? names.join('')
      : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
  }

  /** The keys to set so that checks can use a group. Empty if any key of the group is enough. */
  private keysToSet(path: string): Key[] {
    const found = this.findGroup(path)
    if (found === undefined) return []
    const names =
      found.keysToPropose ??
      Object.keys(found.members).filter((name) => isRequired(found.members[name]))
    return names.flatMap((name) => this.find(`${path}.${name}`) ?? [])
  }
}

/** The section of a key: `images.batch` for `images.batch.url`. */
export function sectionOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')))
}

/** The last name of a path. */
export const nameOf = (path: string): string => path.split('.').at(-1)!

/**
 * The option of a key: `--images-batch-url` for `images.batch.url`, `--images-max-file-bytes` for
 * `images.maxFileBytes`.
 */
export function flagOf(path: string): string {
  return `--${path.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The short options of keys. */
const shortOptions: Readonly<Record<string, string>> = {
  'suite.concurrency': '--concurrency',
  'suite.expected': '--expected',
}

/** The option of a key in output and documentation: the short one, if the key has one. */
export const shownFlagOf = (path: string): string => shortOptions[path] ?? flagOf(path)

const isRequired = (member?: Leaf | KeyGroup): boolean =>
  member !== undefined && !isGroup(member) && member.required === true

function fallbackOf({ kind, default: value, fallback }: Leaf): { fallback?: string } {
  if (fallback !== undefined) return { fallback }
  return value === undefined ? {} : { fallback: writeDefault(kind, value) }
}

/** Formats a default as in a target file. */
function writeDefault(kind: KeyKind, value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`
  if (typeof value === 'object') return JSON.stringify(value)
  if (kind !== 'duration' && kind !== 'timeout') return String(value)
  const milliseconds = value as number
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`
}
