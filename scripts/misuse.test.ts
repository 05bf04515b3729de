import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command, Option } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOptionOf, mockNames, mockOptions } from './commands/mock/help.ts'
import {
  commands,
  expectRefused,
  fileKinds,
  files,
  folder,
  folderOf,
  noFiles,
  preventExit,
  runMisuse,
  writeFiles,
  type CommandName,
  type FileKind,
} from './misuse.testing.ts'

let allowExit: () => void
let before: string
beforeAll(() => {
  writeFiles()
  before = snapshot()
  allowExit = preventExit()
})
afterAll(() => {
  allowExit()
  rmSync(folder, { recursive: true })
})

/** The names and contents of all files. */
const snapshot = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      return `${name} ${lstatSync(path).isFile() ? readFileSync(path, 'latin1') : ''}`
    })
    .join('\n')

const out = join(folder, 'out')
const receiver = ['--receiver-url', 'http://127.0.0.1:9', '--receiver-secret', 'abcdefgh1']
/** Options with which `touchstone test` does not wait for a server, and writes no files. */
const quick = ['--wait', '0s', '--reporter', 'console']
const greeting = ['--greeting-address', '127.0.0.1:9', ...quick]

interface FileUse {
  name: string
  run: (file: string, kind: FileKind) => readonly [CommandName, ...string[]]
  /** The kinds that the command accepts. */
  legal?: readonly FileKind[]
  /** The kinds that are misuses, if the command accepts most kinds. */
  only?: readonly FileKind[]
  statuses?: readonly number[]
  /** What the error names, if not the file. */
  named?: RegExp
}

const uses: readonly FileUse[] = [
  { name: 'test --target', run: (file) => ['test', '--target', file, ...quick] },
  {
    name: 'test --expected',
    run: (file) => ['test', ...receiver, ...quick, '--expected', file],
    // An empty list of known failures.
    legal: ['empty', 'null', 'an empty list'],
  },
  {
    name: 'test --failed',
    run: (_, kind) => ['test', ...receiver, '--report', folderOf(kind), '--failed'],
    named: /report\.json/,
  },
  {
    name: 'test --report',
    run: (file) => ['test', ...receiver, '--report', file],
    // The folder is created.
    legal: ['missing', 'a folder'],
  },
  {
    name: 'test --greeting-tls-ca',
    run: (file) => ['test', ...greeting, '--greeting-tls-ca', file],
  },
  {
    name: 'test --greeting-tls-cert',
    run: (file) => ['test', ...greeting, '--greeting-tls-cert', file, '--greeting-tls-key', file],
  },
  {
    name: 'clean --report',
    run: (_, kind) => ['clean', '--report', folderOf(kind)],
    // Lines that no run has written are ignored.
    only: ['a folder', 'a loop', 'below a file', 'a long name'],
    named: /created\.ndjson/,
  },
  { name: 'clean --target', run: (file) => ['clean', '--target', file], only: noFiles },
  { name: 'compare', run: (file) => ['compare', file, file] },
  { name: 'diff', run: (file) => ['diff', file, file] },
  {
    name: 'mock --seed',
    run: (file) => ['mock', 'images', '--stateful', '--port', '0', '--seed', file],
    // The mock has no initial data.
    legal: ['empty', 'null'],
  },
  {
    name: 'mock --tls-cert',
    run: (file) => ['mock', 'hooks', '--port', '0', '--tls-cert', file, '--tls-key', file],
  },
  {
    name: 'mock --client-ca',
    run: (file) => ['mock', 'greeting', '--port', '0', '--client-ca', file],
  },
  {
    name: 'mock --oauth-kv',
    run: (file) => ['mock', 'tools', '--port', '0', '--auth', 'oauth-provider', '--oauth-kv', file],
    // The file is created.
    legal: ['missing'],
  },
  {
    name: 'mock --audit-log',
    run: (file) => ['mock', 'tools', '--port', '0', '--audit-log', file],
    // Lines are appended to any file.
    only: ['a folder', 'a loop', 'below a file', 'a long name'],
  },
  { name: 'greet --ca', run: (file) => ['greet', '127.0.0.1:9', 'Ada', '--ca', file] },
  {
    name: 'greet --cert',
    run: (file) => ['greet', '127.0.0.1:9', 'Ada', '--tls', '--cert', file, '--key', file],
  },
  { name: 'types --tools-from', run: (file) => ['types', '--out', out, '--tools-from', file] },
  {
    name: 'types --out',
    run: (file) => ['types', '--contract', 'greeting', '--out', file],
    // The folder is created.
    legal: ['missing', 'a folder'],
  },
  {
    name: 'emit --file',
    run: (file) => ['emit', '--to', 'http://127.0.0.1:9', '--file', file],
  },
  // A file with violations is legal input, with status 1.
  { name: 'validate', run: (file) => ['validate', file], statuses: [1, 3] },
  { name: 'lint-tools', run: (file) => ['lint-tools', file], statuses: [1, 3] },
  {
    name: 'listen --save',
    run: (file) => ['listen', '--port', '0', '--save', file],
    // The folder is created.
    legal: ['missing', 'a folder'],
  },
  { name: 'init', run: (file) => ['init', file], legal: ['missing'] },
]

describe.each([...uses])('$name with', ({ run, legal = [], only = fileKinds, statuses, named }) => {
  test.each(only.filter((kind) => !legal.includes(kind)))('%s', async (kind) => {
    const [name, ...words] = run(files[kind], kind)
    const outcome = await runMisuse(name, words)
    expectRefused(outcome, named ?? basename(files[kind]), statuses)
  })
})

test('the commands have not changed the files', () => {
  expect(snapshot()).toBe(before)
})

/** Words that a command requires before its options. */
const required: Partial<Record<CommandName, readonly string[]>> = {
  greet: ['127.0.0.1:9'],
  compare: ['a', 'b'],
  diff: ['a', 'b'],
}

/** The options of a command that have a value, without hidden ones. */
function optionsWithValues(name: CommandName): string[] {
  const command = new Command(name)
  commands[name](command)
  return command.options
    .filter((option) => !option.hidden && (option.required || option.optional))
    .map(({ long }) => long!)
}

describe.each(Object.keys(commands) as CommandName[])('%s with', (name) => {
  const words = required[name] ?? []
  const options = optionsWithValues(name)

  for (const option of options)
    test(`an empty value of ${option}`, async () => {
      expectRefused(await runMisuse(name, [...words, option, '']), `${option} has no value`)
    })

  test('an unknown option', async () => {
    expectRefused(await runMisuse(name, [...words, '--nonsense']), '--nonsense')
  })
})

/**
 * The options of mocks, each with a mock that does not have it. --stateful is legal everywhere,
 * because the mocks that do not have it are always stateful.
 */
const optionsOfOthers = mockOptions.flatMap(({ flags }) => {
  const { long, required: hasValue } = new Option(flags)
  return mockNames
    .filter((name) => flags !== '--stateful' && !isOptionOf(flags, [name]))
    .map((name) => [name, long!, ...(hasValue ? ['sse'] : [])] as const)
})

test.each(optionsOfOthers)('mock %s does not accept %s', async (mock, option, ...values) => {
  expectRefused(await runMisuse('mock', [mock, '--port', '0', option, ...values]), option)
})

const images = ['--images-account', 'a', '--images-token', 'abcdefgh1', ...quick]
const hooks = ['--hooks-url', 'http://127.0.0.1:9', '--hooks-project', '1', ...quick]
const tools = ['--tools-http', 'http://127.0.0.1:9', ...quick]
const program = ['--tools-stdio-command', 'node', ...quick]
const push = ['push', '--to', 'http://127.0.0.1:9']
const long = 'x'.repeat(5000)

/** Wrong values of single options: a command, its other words, an option, and values. */
const wrongValues: readonly (readonly [
  CommandName,
  readonly string[],
  string,
  readonly string[],
])[] = [
  ['test', quick, '--concurrency', ['0', '-1', '1e9', 'x', '1.5']],
  ['test', quick, '--suite-timeout', ['5', '-5s', '0s', '25h', '1441m', `${'9'.repeat(20)}s`]],
  ['test', quick, '--suite-patience', ['x', '1441m']],
  ['test', quick, '--suite-seed', ['1.5', '-1', '9'.repeat(20), 'x']],
  ['test', quick, '--suite-receiver-listen', ['x', '127.0.0.1:99999', '[::1']],
  ['test', ['--reporter', 'console'], '--wait', ['soon', '5', '-1s', '99999999s']],
  ['test', quick, '--level', ['maybe', ',']],
  ['test', quick, '--topic', ['__proto__', ',']],
  ['test', quick, '--contract', ['constructor', 'image', ',']],
  ['test', quick, '--only', ['__proto__', '*', 'X-Y', ',', long]],
  ['test', quick, '--skip', ['(', 'IMG-UPLOD-04', ',']],
  ['test', quick, '--profile', ['x', '__proto__']],
  ['test', quick, '--exchanges', ['x', 'none']],
  ['test', [], '--reporter', ['toString', 'htm', ',']],
  [
    'test',
    images,
    '--images-url',
    ['x', 'ftp://x', 'http://h:99999', 'http://a:b@h', 'http://h?a'],
  ],
  ['test', [...images, '--images-url', 'http://h'], '--images-state', ['maybe', '1']],
  ['test', hooks, '--hooks-token', ['a\nb']],
  ['test', quick, '--greeting-address', ['x', '127.0.0.1:99999', '[::1', '[:::]:1', 'a b:1', 'h:']],
  ['test', greeting, '--greeting-metadata', ['a', 'grpc-x=1', 'A B=2', 'x=a\nb']],
  ['test', tools, '--tools-calls', ['{', '[[[[]]]]', '['.repeat(20_000), '{"a":1}', 'null']],
  ['test', tools, '--tools-auth-pattern', ['x', 'toString']],
  ['test', quick, '--tools-stdio-command', ['/nonexistent', '/etc', '/etc/passwd']],
  ['test', program, '--tools-stdio-args', ['{}', 'x', '[1]']],
  ['test', program, '--tools-stdio-env', ['[]', 'x', '{"A":1}']],
  ['test', program, '--tools-stdio-cwd', ['/nonexistent', '/etc/passwd']],
  ['mock', ['images'], '--port', ['x', '-1', '65536', '99999', 'batch=', 'x=1', '65535']],
  ['mock', ['receiver', '--port', '0'], '--host', ['192.0.2.1']],
  ['mock', ['images', '--port', '0'], '--latency', ['x', '-1', '1e400', '5-', '9-5']],
  ['mock', ['images', '--port', '0'], '--failure-rate', ['2', 'x', '-1']],
  ['mock', ['images', '--port', '0', '--stateful'], '--max-file-bytes', ['x', '-1']],
  ['mock', ['receiver', '--port', '0'], '--secret', [' a', 'a\nb']],
  ['mock', ['greeting', '--port', '0'], '--token', ['a b', 'a\n']],
  ['mock', ['identity', '--port', '0'], '--consent', ['x']],
  ['mock', ['tools', '--port', '0'], '--allow-origin', ['x', '*', 'http://a.example/x']],
  ['mock', ['tools', '--port', '0'], '--transport', ['x', 'http', 'stdio']],
  ['mock', ['tools', '--port', '0'], '--auth', ['x', 'toString']],
  ['mock', ['tools', '--port', '0'], '--upstream', ['x', 'ftp://h', 'http://h:99999']],
  ['mock', ['tools', '--port', '0', '--auth', 'oauth-proxy'], '--identity', ['x']],
  ['greet', ['127.0.0.1:9', 'Ada'], '--metadata', ['x', 'A B=1', 'grpc-timeout=1', 'a=\n', 'a=']],
  ['greet', ['127.0.0.1:9', 'Ada'], '--cert', ['x']],
  ['greet', ['127.0.0.1:9', 'Ada', '--insecure'], '--ca', ['x']],
  ['types', [], '--out', ['/proc/x', '/proc/x/y', '/dev/null', '/dev/null/x']],
  ['types', ['--out', out], '--header', ['x']],
  ['types', ['--out', out], '--name', ['x']],
  ['types', ['--out', out, '--tools-from', 'http://127.0.0.1:9'], '--header', ['x', 'a b=c']],
  ['emit', ['push'], '--to', ['x', 'ftp://x', 'http://', 'http://h:99999']],
  ['emit', push, '--set', ['x', '__proto__.x=1', 'commits[99999999999]=1', 'commits[0].id.x=1']],
  ['emit', push, '--seed', ['x', '-1', '1.5']],
  ['emit', push, '--repeat', ['0', '-1', 'x', '1e3', '99999999']],
  ['emit', push, '--rate', ['0', '-1', 'x', '1e3']],
  ['emit', push, '--timeout', ['0', '0s', 'x', '5', '-1s', '1441m']],
  ['emit', push, '--token', ['a\nb', ' a']],
  ['emit', push, '--pace', ['original']],
  ['emit', ['--to', 'http://h', '--file', files['a number']], '--pace', ['x']],
  ['diff', [files.missing, files.missing], '--direction', ['up', '__proto__']],
  ['listen', [], '--port', ['x', '70000', '-1', '1.5']],
  ['listen', ['--port', '0'], '--status', ['99', 'x', '600', '-200']],
  ['listen', ['--port', '0'], '--forward-to', ['x', 'ftp://h', 'http://h:99999']],
  ['listen', ['--port', '0'], '--timeout', ['5s']],
  ['listen', ['--port', '0', '--forward-to', 'http://h'], '--timeout', ['0s', 'x', '1441m']],
  ['listen', ['--port', '0'], '--token', ['a\nb', ' a']],
  ['listen', ['--port', '0'], '--save', ['/proc/x', '/dev/null']],
  ['lint-tools', [], '--http', ['x', 'ftp://h', 'http://127.0.0.1:9']],
  ['lint-tools', [], '--stdio', ['"x']],
  ['lint-tools', ['--http', 'http://127.0.0.1:9'], '--header', ['x', 'a b=c', 'a=\n']],
]

describe.each([...wrongValues])('%s %j %s', (name, words, option, values) => {
  test.each(values.map((value) => [value.slice(0, 40), value] as const))('%j', async (_, value) => {
    // The error for --concurrency names --suite-concurrency. Errors about a server or a program
    // name the value instead of the option.
    const named = new RegExp(`${option}|-${option.slice(2)}|127\\.0\\.0\\.1:9|${escaped(value)}`)
    expectRefused(await runMisuse(name, [...words, option, value]), named)
  })
})

const escaped = (text: string): string => text.slice(0, 200).replaceAll(/[^\w]/g, '\\$&')

/** Other misuses: a command, its words, and what the error contains. */
const misuses: readonly (readonly [CommandName, readonly string[], string])[] = [
  ...['http://', 'http://[::1', '://x', 'ftp://127.0.0.1/', '127.0.0.1:99999', 'http://a b'].map(
    (address) => ['test', [address, ...quick], address] as const,
  ),
  ['test', ['', ...quick], 'the argument [address] has no value'],
  ['test', ['http://127.0.0.1:9', ...quick], '127.0.0.1:9'],
  ['test', ['--account', 'a'], '--account'],
  ['test', ['--project', '1'], '--project'],
  ['test', ['--bundled', '--target', 'x'], '--bundled'],
  ['test', ['--failed', '--only', 'IMG'], '--only'],
  ['test', ['--watch', '--list'], '--list'],
  ['test', [...hooks], 'HOOKS_TOKEN'],
  [
    'test',
    [...receiver, ...quick, '--write-expected', '--expected', '/proc/x/y.yaml'],
    '--expected',
  ],
  ['test', [...receiver, ...quick, '--expected', '/dev/zero'], '/dev/zero'],
  ['mock', ['imags'], 'imags'],
  ['mock', ['__proto__'], '__proto__'],
  ['mock', ['images', '--port', '0', '--tls-cert', 'x'], '--tls-key'],
  ['mock', ['tools', '--auth', 'jwt', '--jwt-secret', 'short'], '32 bytes'],
  ['mock', ['tools', '--auth', 'oauth-provider', '--oauth-kv', '/proc/x/y'], '--oauth-kv'],
  ['mock', ['tools', '--transport', 'sse', '--stateless'], '--stateless'],
  ...['x', '127.0.0.1:99999', '127.0.0.1:0', 'http://127.0.0.1:1', '[::1', ':1'].map(
    (address) => ['greet', [address, 'Ada'], 'ADDRESS'] as const,
  ),
  ['greet', [], 'address'],
  ['greet', ['', 'Ada'], 'the argument [address] has no value'],
  ['types', [], '--out'],
  ['types', ['--out', out, '--contract', 'imags'], 'imags'],
  ['types', ['--out', out, '--lang', 'cobol'], 'cobol'],
  ...['http://127.0.0.1:9/mcp', 'stdio:', 'stdio:/nonexistent', 'stdio:/etc'].map(
    (source) =>
      ['types', ['--out', out, '--tools-from', source], source.replace('stdio:/', '/')] as const,
  ),
  ['types', ['--out', out, '--tools-from', 'stdio:"unclosed'], 'a quote is not closed'],
  ['emit', ['--to', 'http://h'], 'no event'],
  ['emit', ['pusch', '--to', 'http://h'], 'pusch'],
  ['emit', ['__proto__', '--to', 'http://h'], '__proto__'],
  ['emit', ['push'], '--to'],
  ['emit', [...push, '--action', 'x'], 'x'],
  ['emit', [...push, '--story'], '--story'],
  ['emit', [...push, '--file', 'x'], '--file'],
  ['listen', ['--port', '0', '--insecure'], '--insecure'],
  ['listen', ['--port', '0', '--forward-to', 'http://h', '--status', '200'], '--status'],
  ['validate', ['/nonexistent'], '/nonexistent'],
  ['validate', ['/dev/null'], '/dev/null'],
  ['validate', [files['a number'], '--event', 'pusch'], 'pusch'],
  ['lint-tools', ['--stdio', '/nonexistent'], '/nonexistent'],
  ['lint-tools', ['--stdio', '/etc'], '/etc'],
  ['lint-tools', [files['a number'], '--ignore', 'X'], 'X'],
  ['lint-tools', ['x', '--http', 'http://h'], 'only one source'],
  ['init', ['image'], 'image'],
  ['init', ['/proc/x'], '/proc/x'],
  ['init', ['/proc/x.yaml'], '/proc/x.yaml'],
  ['init', ['/'], '/'],
  ['init', [''], 'has no value'],
  ['init', [join(folder, 'nowhere', 'a.yaml')], 'a.yaml'],
  ['compare', [], 'report'],
  ['compare', ['a'], 'two reports'],
  ['compare', ['', ''], 'report.json'],
  ['compare', ['a', 'b', '--name', 'x'], '--name'],
]

test.each([...misuses])('%s %j', async (name, words, named) => {
  expectRefused(await runMisuse(name, words), named)
})
