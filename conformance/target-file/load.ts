import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { eventNames } from '../../generated/events/names.ts'
import { readTargetFile } from './file.ts'
import { problemsOfAuth } from './auth.ts'
import { flagOf, keys, sectionOf, type Key } from './keys.ts'
import { readPem } from './pem.ts'
import { TargetError, type Target } from './target.ts'
import { readValue, type Given, type Value } from './value.ts'

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
export async function loadTarget({
  file,
  flags = {},
  environment = process.env,
  folder = process.cwd(),
}: LoadOptions): Promise<Target> {
  const given = new Map<string, Given>()
  const declared = new Set<string>()
  const problems: string[] = []
  if (file !== undefined) {
    const path = resolve(folder, file)
    const near = relative(folder, path)
    const read = await readTargetFile(
      path,
      near.startsWith('..') || isAbsolute(near) ? path : near || basename(path),
      environment,
    )
    for (const [name, entry] of read.given) given.set(name, { ...entry, folder: dirname(path) })
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
    if (
      declared.has(sectionOf(path)) &&
      variable !== undefined &&
      value !== undefined &&
      value !== '' &&
      !given.has(path)
    )
      given.set(path, { value, place: variable })
  }

  const values = new Map<string, Value>()
  for (const key of keys) {
    const entry = given.get(key.path)
    if (entry === undefined) continue
    if (entry.value === undefined) continue
    const read = readValue(key, entry)
    const whole =
      key.kind === 'pem' && 'value' in read
        ? await readPem(resolve(entry.folder ?? folder, String(read.value)))
        : read
    if ('wrong' in whole) problems.push(`${entry.place}  ${key.path} ${whole.wrong}`)
    else values.set(key.path, whole.value)
  }
  for (const key of keys)
    if (key.required === true && declared.has(sectionOf(key.path)) && !given.has(key.path))
      problems.push(missing(key))
  // Each is of no use without the other.
  for (const [one, other] of [
    ['greeting.tls.cert', 'greeting.tls.key'],
    ['greeting.tls.key', 'greeting.tls.cert'],
  ] as const) {
    if (given.has(one) && !given.has(other))
      problems.push(`${given.get(one)!.place}  ${one} is given without ${other}`)
  }
  const toolServer = [...given.keys()].find((path) => path.startsWith('tools.'))
  if (
    toolServer !== undefined &&
    !['tools.http', 'tools.sse', 'tools.stdio.command'].some((path) => given.has(path))
  ) {
    problems.push(
      `${given.get(toolServer)!.place}  tools names no transport. Next: give it http, sse or stdio`,
    )
  }
  for (const [name, value] of Object.entries(
    (values.get('tools.stdio.env') ?? {}) as Record<string, unknown>,
  )) {
    if (typeof value !== 'string')
      problems.push(
        `${given.get('tools.stdio.env')!.place}  tools.stdio.env wants text at ${name}, in quotes where it looks like a number`,
      )
  }
  for (const [name, value] of Object.entries(
    (values.get('tools.calls') ?? {}) as Record<string, unknown>,
  )) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      problems.push(
        `${given.get('tools.calls')!.place}  tools.calls wants an object of arguments at ${name}`,
      )
  }
  problems.push(...problemsOfAuth(values, (path) => given.get(path)?.place ?? 'tools.auth'))
  if (problems.length > 0) throw new TargetError(problems.join('\n'))
  return build(values, declared)
}

function missing({ path, says, variable }: Key): string {
  const ways = [
    variable === undefined ? undefined : `export ${variable}=…`,
    `${flagOf(path)} …`,
    `\`${path.split('.').at(-1)!}:\` in the target file`,
  ]
  return `${path} is missing: ${says}. Next: ${ways.filter((way) => way !== undefined).join(', or ')}`
}

/** What holds where the file is silent. Defaults that are no plain values stand beside what uses them. */
const defaults: Readonly<Record<string, Value>> = {
  'images.state': true,
  'hooks.state': true,
  'hooks.triggers': ['push_events'],
  'receiver.events': eventNames,
  'receiver.onMismatch': 'refuse',
  'tools.auth.registration': true,
  'tools.auth.consent': 'form',
  'suite.settle': 0,
  'suite.pace': 0,
  'suite.patience': 10_000,
  'suite.watch': 3000,
  'suite.concurrency': 8,
  'suite.timeout': 10_000,
}

/** The values as a tree. Kinds have been checked: the table and the types say the same. */
function build(values: ReadonlyMap<string, Value>, declared: ReadonlySet<string>): Target {
  const target: Record<string, unknown> = { suite: {} }
  const holderOf = (section: string) =>
    section
      .split('.')
      .reduce<Record<string, unknown>>(
        (holder, name) => (holder[name] ??= {}) as Record<string, unknown>,
        target,
      )
  for (const section of declared) if (section !== '') holderOf(section)
  const there = (path: string) => sectionOf(path) === 'suite' || declared.has(sectionOf(path))
  for (const [path, value] of [
    ...Object.entries(defaults).filter(([path]) => there(path)),
    ...values,
  ])
    holderOf(sectionOf(path))[path.split('.').at(-1)!] = value
  return target as unknown as Target
}
