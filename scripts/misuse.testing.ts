import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, vi } from 'vitest'
import { describe as describeClean } from './commands/clean.ts'
import { commandOf } from './commands/command.testing.ts'
import { describe as describeCompare } from './commands/compare.ts'
import { describe as describeDiff } from './commands/diff.ts'
import { describe as describeEmit } from './commands/emit.ts'
import { describe as describeGreet } from './commands/greet.ts'
import { describe as describeInit } from './commands/init.ts'
import { describe as describeLintTools } from './commands/lint-tools.ts'
import { describe as describeListen } from './commands/listen.ts'
import { describe as describeMock } from './commands/mock.ts'
import { describe as describeTest } from './commands/test.ts'
import { describe as describeTypes } from './commands/types.ts'
import { describe as describeValidate } from './commands/validate.ts'

/** All commands, which run in this process. */
export const commands = {
  clean: describeClean,
  compare: describeCompare,
  diff: describeDiff,
  emit: describeEmit,
  greet: describeGreet,
  init: describeInit,
  'lint-tools': describeLintTools,
  listen: describeListen,
  mock: describeMock,
  test: describeTest,
  types: describeTypes,
  validate: describeValidate,
} satisfies Record<string, (command: Command) => void>

export type CommandName = keyof typeof commands

/** The temporary folder of the tests. */
export const folder = mkdtempSync(join(tmpdir(), 'touchstone-misuse-'))

const bytes = Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 37) % 256))

const bomb = [...'abcde']
  .map((name, index, names) => {
    const item = index === 0 ? 'x' : `*${names[index - 1]!}`
    return `${name}: &${name} [${Array<string>(9).fill(item).join(', ')}]\n`
  })
  .join('')

/** Contents of files that no command can use. */
const contents = {
  empty: '',
  binary: bytes,
  'an unclosed object': '{"a":',
  'deep lists': '['.repeat(20_000) + ']'.repeat(20_000),
  'deep unclosed lists': '['.repeat(20_000),
  'deep objects': '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
  'a deep delivery': `{"object_kind":"push","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  'deep YAML': '- '.repeat(5000),
  'a YAML bomb': bomb,
  'a YAML circle': 'images: &a\n  url: *a\nsuite: *a\n',
  'a number': '42',
  null: 'null',
  'an empty list': '[]',
  'a string': '"text"',
  'members of prototypes':
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  'nested lists': '[[[1],{"a":[null]}],"x"]',
  'a list of nulls': '[null,1,"a",[],{}]',
  'members of wrong types': '{"tools":5,"verdicts":[null],"result":{"tools":[null,3]}}',
  'a PEM block without a certificate':
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
} as const

/** Kinds of paths at which there is no file. */
export const noFiles = ['missing', 'a folder', 'a loop', 'below a file', 'a long name'] as const

export type FileKind = keyof typeof contents | (typeof noFiles)[number]

/** The path of each kind of file. The commands must not change these files. */
export const files = {
  ...(Object.fromEntries(
    Object.keys(contents).map((kind) => [kind, join(folder, `${kind.replaceAll(' ', '-')}.json`)]),
  ) as Record<keyof typeof contents, string>),
  missing: join(folder, 'missing.json'),
  'a folder': join(folder, 'a-folder.json'),
  'a loop': join(folder, 'a-loop.json'),
  'below a file': join(folder, 'empty.json', 'inside.json'),
  'a long name': join(folder, `${'x'.repeat(300)}.json`),
} satisfies Record<FileKind, string>

export const fileKinds = Object.keys(files) as FileKind[]

/** Returns a folder whose `report.json` and `created.ndjson` are links to the file of this kind. */
export const folderOf = (kind: FileKind): string => join(folder, 'folders', kind)

/** Creates the files. */
export function writeFiles(): void {
  for (const [kind, content] of Object.entries(contents))
    writeFileSync(files[kind as keyof typeof contents], content)
  mkdirSync(files['a folder'])
  symlinkSync(files['a loop'], files['a loop'])
  for (const kind of fileKinds) {
    mkdirSync(folderOf(kind), { recursive: true })
    for (const name of ['report.json', 'created.ndjson'])
      symlinkSync(files[kind], join(folderOf(kind), name))
  }
}

/** A misuse must end within this many milliseconds. */
const limitMs = 30_000

/** Runs a command. If it starts a server or does not end, stops it, and returns the status -1. */
export async function runMisuse(
  name: CommandName,
  words: readonly string[],
): Promise<{ status: number; out: string; error: string }> {
  const before = new Set<unknown>(process.listeners('SIGINT'))
  const running = commandOf(name, commands[name])(...words)
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs)
  })
  const outcome = await Promise.race([running, limit])
  clearTimeout(timer)
  const added = process.listeners('SIGINT').filter((listener) => !before.has(listener))
  for (const stop of added) stop('SIGINT')
  const { out, error, status } = await running
  // A stopped mock exits after a timer. Waits for it.
  if (added.length > 0) await new Promise((resolve) => setTimeout(resolve, 1000))
  return { out, error, status: outcome === undefined || added.length > 0 ? -1 : status }
}

/** Prevents commands from ending the process of the tests. Returns a function that undoes this. */
export function preventExit(): () => void {
  const spy = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  return () => spy.mockRestore()
}

/** Expects one of the statuses and, with status 3, a short error that contains `named`. */
export function expectRefused(
  { status, out, error }: { status: number; out: string; error: string },
  named: string | RegExp,
  statuses: readonly number[] = [3],
): void {
  expect(statuses, `${out}${error}`).toContain(status)
  expect(error).not.toMatch(/defect of Touchstone|\n\s+at |Maximum call stack/)
  if (status !== 3) return
  const lines = error.trimEnd().split('\n')
  expect(lines.length, error).toBeLessThanOrEqual(6)
  expect(error).toMatch(/^(error|note): /m)
  if (typeof named === 'string') expect(error).toContain(named)
  else expect(error).toMatch(named)
}
