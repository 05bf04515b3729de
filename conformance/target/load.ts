import { basename, isAbsolute, relative, resolve } from 'node:path'
import { readTargetFile } from './file.ts'
import { flagOf, keys, type Key } from './keys.ts'
import { TargetError, type ImagesTarget, type SuiteSettings, type Target } from './target.ts'
import { readValue, type Given } from './value.ts'

export interface LoadOptions {
  /** A target file, relative to `folder`. */
  file?: string | undefined
  /** Values from the command line, by path: `{ 'images.url': 'http://…' }`. They go before the file's. */
  flags?: Readonly<Record<string, string | boolean>>
  environment?: NodeJS.ProcessEnv
  folder?: string
}

/**
 * Puts a target together: file, over it flags, under it the variables that hold secrets, then defaults.
 * Throws a `TargetError` that names every mistake with its place.
 */
export async function loadTarget({ file, flags = {}, environment = process.env, folder = process.cwd() }: LoadOptions): Promise<Target> {
  const given = new Map<string, Given>()
  const declared = new Set<string>()
  const problems: string[] = []
  if (file !== undefined) {
    const path = resolve(folder, file)
    const near = relative(folder, path)
    const read = await readTargetFile(path, near.startsWith('..') || isAbsolute(near) ? path : near || basename(path), environment)
    for (const entry of read.given) given.set(...entry)
    for (const section of read.declared) declared.add(section)
    problems.push(...read.problems)
  }
  for (const [path, value] of Object.entries(flags)) {
    given.set(path, { value, place: flagOf(path), loose: true })
    const steps = path.split('.').slice(0, -1)
    steps.forEach((_, index) => declared.add(steps.slice(0, index + 1).join('.')))
  }
  for (const { path, variable } of keys) {
    const value = variable === undefined ? undefined : environment[variable]
    const wanted = path.startsWith('images.batch.') ? declared.has('images.batch') : declared.has('images')
    if (wanted && variable !== undefined && value !== undefined && value !== '' && !given.has(path)) given.set(path, { value, place: variable })
  }

  const values = new Map<string, string | number | boolean>()
  for (const key of keys) {
    const entry = given.get(key.path)
    if (entry === undefined) continue
    if (entry.value === undefined) continue
    const read = readValue(key.kind, entry)
    if ('wrong' in read) problems.push(`${entry.place}  ${key.path} ${read.wrong}`)
    else values.set(key.path, read.value)
  }
  for (const key of required(declared)) if (!given.has(key.path)) problems.push(missing(key))
  if (problems.length > 0) throw new TargetError(problems.join('\n'))
  return build(values, declared)
}

/** What a section cannot do without. */
function required(declared: ReadonlySet<string>): Key[] {
  const paths = [
    ...(declared.has('images') ? ['images.url', 'images.account', 'images.token'] : []),
    ...(declared.has('images.batch') ? ['images.batch.url', 'images.batch.token'] : []),
  ]
  return keys.filter(({ path }) => paths.includes(path))
}

function missing({ path, says, variable }: Key): string {
  const ways = [variable === undefined ? undefined : `export ${variable}=…`, `${flagOf(path)} …`, `\`${path.split('.').at(-1)!}:\` in the target file`]
  return `${path} is missing: ${says}. Next: ${ways.filter((way) => way !== undefined).join(', or ')}`
}

function build(values: ReadonlyMap<string, string | number | boolean>, declared: ReadonlySet<string>): Target {
  /** The values directly in a section, as an object. Kinds have been checked: the table and the types say the same. */
  const inside = (section: string) =>
    Object.fromEntries(
      [...values].filter(([path]) => path.startsWith(`${section}.`)).map(([path, value]) => [path.slice(section.length + 1), value] as const)
        .filter(([name]) => !name.includes('.')),
    )
  const suite = {
    settle: 0,
    pace: 0,
    concurrency: 8,
    timeout: 10_000,
    ...inside('suite'),
    ...(declared.has('suite.pictures') ? { pictures: inside('suite.pictures') } : {}),
  } as SuiteSettings
  if (!declared.has('images')) return { suite }
  const images = {
    state: true,
    ...inside('images'),
    ...(declared.has('images.batch') ? { batch: inside('images.batch') } : {}),
  } as unknown as ImagesTarget
  return { images, suite }
}
