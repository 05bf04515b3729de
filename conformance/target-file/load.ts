import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { absentPath, mistakesInAbsent } from './absent.ts'
import { listMistakes, TargetError } from './error.ts'
import { readEntries } from './expected-entries.ts'
import { parseTarget, readTargetFile, type GivenValue } from './file.ts'
import { shownFlagOf, nameOf, sectionOf, type Key, type Keys, type LocatedGroup } from './keys.ts'
import { kinds, readValue, type Value } from './kinds.ts'
import { readPem } from './pem.ts'

export interface LoadOptions {
  /** The path of a target file, relative to `folder`. */
  file?: string | undefined
  /** The content of a target file, in place of a file. */
  text?: string | undefined
  /** The name of `text` in messages. */
  name?: string
  /**
   * Values from the command line, by path: `{ 'images.url': 'http://…' }`. They override the file.
   */
  flags?: Readonly<Record<string, string | boolean>>
  environment?: NodeJS.ProcessEnv
  folder?: string
}

/**
 * Loads a target. The value of a key comes from the first of these that sets it: its option, the
 * file, its environment variable, its default. Throws a `TargetError` that lists the mistakes with
 * their locations.
 */
export async function load(
  keys: Keys,
  {
    file,
    text,
    name = 'the target',
    flags = {},
    environment = process.env,
    folder = process.cwd(),
  }: LoadOptions,
): Promise<Record<string, unknown>> {
  const given = new Map<string, GivenValue>()
  const declared = new Set<string>()
  const problems: string[] = []
  const path = file === undefined ? undefined : resolve(folder, file)
  if (path !== undefined || text !== undefined) {
    const called = path === undefined ? name : fileName(path, folder)
    const read = await parseTarget(
      keys,
      path === undefined ? (text ?? '') : readTargetFile(path, called),
      called,
      environment,
    )
    const start = path === undefined ? folder : dirname(path)
    for (const [key, entry] of read.given) given.set(key, { ...entry, folder: start })
    for (const section of read.declared) declared.add(section)
    problems.push(...read.problems)
  }
  for (const [path, value] of Object.entries(flags)) {
    given.set(path, { value, location: shownFlagOf(path), loose: true })
    const steps = path.split('.').slice(0, -1)
    steps.forEach((_, index) => declared.add(steps.slice(0, index + 1).join('.')))
  }
  for (const { path, variable } of keys.all) {
    const value = variable === undefined ? undefined : environment[variable]
    if (
      declared.has(sectionOf(path)) &&
      variable !== undefined &&
      value !== undefined &&
      value !== '' &&
      !given.has(path)
    )
      given.set(path, { value, location: variable })
  }

  const values = new Map<string, Value>()
  for (const key of keys.all) {
    const entry = given.get(key.path)
    if (entry === undefined) continue
    if (entry.value === undefined) continue
    const read = readValue(key, entry)
    if (key.kind === 'failures' && 'value' in read && Array.isArray(read.value)) {
      const locate = entry.locateItem ?? (() => entry.location)
      const { entries, mistakes } = readEntries(read.value, locate)
      problems.push(
        ...mistakes.map(
          ({ location, index, what }) => `${location}  ${key.path}[${index}] ${what}`,
        ),
      )
      values.set(key.path, entries)
      continue
    }
    const result =
      key.kind === 'pem' && 'value' in read
        ? readPemOf(key, resolve(entry.folder ?? folder, String(read.value)))
        : key.kind === 'failures' && 'value' in read
          ? { value: fileName(resolve(entry.folder ?? folder, String(read.value)), folder) }
          : read
    const wrong =
      'wrong' in result ? [result.wrong] : (kinds[key.kind].wrongMembers?.(result.value) ?? [])
    problems.push(...wrong.map((what) => `${entry.location}  ${key.path} ${what}`))
    if ('value' in result) values.set(key.path, result.value)
  }
  for (const key of keys.all)
    if (key.required === true && declared.has(sectionOf(key.path)) && !given.has(key.path))
      problems.push(describeMissing(key))
  for (const { path, with: other } of keys.all) {
    const needed = `${sectionOf(path)}.${other}`
    if (other !== undefined && given.has(path) && !given.has(needed))
      problems.push(`${given.get(path)!.location}  ${path} is set without ${needed}`)
  }
  for (const group of keys.groups)
    if (declared.has(group.path)) problems.push(...problemsOf(group, given, values))
  problems.push(
    ...mistakesInAbsent(keys, values).map(
      (what) => `${given.get(absentPath)?.location}  ${absentPath} ${what}`,
    ),
  )
  if (problems.length > 0) throw new TargetError(listMistakes(problems))
  return build(keys, values, declared)
}

/** Reads the PEM file of a key. If it is wrong, returns a phrase that follows the key's name. */
function readPemOf({ path: key }: Key, path: string): { value: string } | { wrong: string } {
  const read = readPem(path, nameOf(key) === 'key' ? 'privateKey' : 'certificate')
  return 'wrong' in read ? { wrong: `names ${path}, which ${read.wrong}` } : read
}

/** The name of a file in messages. Relative to the folder if the file is below it. */
function fileName(path: string, folder: string): string {
  const near = relative(folder, path)
  return near.startsWith('..') || isAbsolute(near) ? path : near || basename(path)
}

function describeMissing({ path, description, variable }: Key): string {
  const ways = [
    variable === undefined ? undefined : `export ${variable}=…`,
    `${shownFlagOf(path)} …`,
    `\`${nameOf(path)}:\` in the target file`,
  ]
  return `${path} is missing: ${description}. Next: ${ways.filter((way) => way !== undefined).join(', or ')}`
}

/** The problems that concern a group as a whole, each with its location. */
function problemsOf(
  { path, group }: LocatedGroup,
  given: ReadonlyMap<string, GivenValue>,
  values: ReadonlyMap<string, Value>,
): string[] {
  const prefix = `${path}.`
  const within = (names: Iterable<string>) =>
    [...names].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  const draft = {
    setKeys: within(given.keys()),
    values: new Map(within(values.keys()).map((name) => [name, values.get(prefix + name)])),
  }
  return (group.problems?.(draft) ?? []).map(
    ([name, message]) => `${given.get(prefix + name)?.location ?? path}  ${message}`,
  )
}

/** The values as a tree, with the defaults of all groups that are present. */
function build(
  keys: Keys,
  values: ReadonlyMap<string, Value>,
  declared: ReadonlySet<string>,
): Record<string, unknown> {
  const target: Record<string, unknown> = { suite: {} }
  const holderOf = (section: string) =>
    section
      .split('.')
      .reduce<Record<string, unknown>>(
        (holder, name) => (holder[name] ??= {}) as Record<string, unknown>,
        target,
      )
  for (const section of declared) if (section !== '') holderOf(section)
  const isPresent = (path: string) => sectionOf(path) === 'suite' || declared.has(sectionOf(path))
  const defaults = keys.all.flatMap(({ path, default: value }) =>
    value !== undefined && isPresent(path) ? [[path, value] as const] : [],
  )
  for (const [path, value] of [...defaults, ...values])
    holderOf(sectionOf(path))[nameOf(path)] = value
  return target
}
