import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Random } from '../engine/index.ts'
import { newRedactor } from './secrets.ts'
import { quoteForShell, shellWord } from './shell.ts'
import { swapCase } from './swap-case.ts'

const secrets = { TOKEN: 'kept$for`tests"', SHORTER: 'kept-for-more-tests' }

/** Returns the words as a shell passes them to a program. */
function evaluate(words: readonly string[], shell: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-shell-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'script')
  writeFileSync(script, words.map((word) => `printf '%s\\0' ${word}\n`).join(''))
  const { stdout, status } = spawnSync(shell, [script], {
    env: { ...process.env, ...secrets },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    cwd: folder,
  })
  expect(status).toBe(0)
  return stdout.split('\0').slice(0, -1)
}

const fragments = [
  ...[
    '$(touch run)',
    '`touch run`',
    '${HOME}',
    '$HOME',
    '$TOKEN',
    '!!',
    '!x',
    '\\',
    "'",
    '"',
    '\n',
  ],
  ...[
    ' ',
    '\t',
    '#',
    ';',
    '&',
    '|',
    '<',
    '>',
    '*',
    '?',
    '~',
    '[a-z]',
    '{a,b}',
    '=',
    '%s',
    '-n',
    'a',
  ],
  ...[
    '\u001b[31m',
    '\u0007',
    '\u007f',
    '\u009b',
    '\u202e',
    '\u2066',
    'ü',
    '🦊',
    ...Object.values(secrets),
  ],
]

/** Strings of fragments that a shell or a terminal could interpret; always the same ones. */
const random = new Random('words for a shell')
const strings = Array.from({ length: 10_000 }, () =>
  Array.from(
    { length: 1 + random.int(0, 6) },
    () => fragments[random.int(0, fragments.length)]!,
  ).join(''),
)

const redact = newRedactor(secrets)

test('a shell passes on exactly the quoted string, and evaluates only the variables of secrets', () => {
  expect(
    evaluate(
      strings.map((text) => quoteForShell(text, redact)),
      'sh',
    ),
  ).toEqual(strings)
})

test('a shell passes on exactly a word without secrets', () => {
  const some = strings.slice(0, 1000)
  expect(evaluate(some.map(shellWord), 'sh')).toEqual(some)
})

test('neither a secret nor a character that a terminal interprets remains', () => {
  for (const text of strings) {
    const word = quoteForShell(text, redact)
    expect(word).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    for (const secret of Object.values(secrets)) expect(word).not.toContain(secret)
  }
})

test('double quotes are used if the text around a secret allows them', () => {
  const { SHORTER: secret } = secrets
  expect(quoteForShell(`Bearer ${secret}`, redact)).toBe('"Bearer $SHORTER"')
  expect(quoteForShell(`${secret}x`, redact)).toBe('"${SHORTER}x"')
  expect(quoteForShell(`${secret}/$(x)`, redact)).toBe(`"$SHORTER"'/$(x)'`)
  expect(quoteForShell('', redact)).toBe("''")
})

test('a shell derives almost correct tokens from the variable', () => {
  const { SHORTER: secret } = secrets
  const tokens = [
    secret.slice(1),
    secret.slice(0, -1),
    secret.slice(0, 10),
    secret.toUpperCase(),
    swapCase(`${secret}A`),
  ]
  const words = tokens.map((token) => quoteForShell(`Bearer ${token}x`, redact))
  expect(words).toEqual([
    '"Bearer ${SHORTER#?}x"',
    '"Bearer ${SHORTER%?}x"',
    '"Bearer $(printf %.10s "$SHORTER")x"',
    '"Bearer $(printf %s "$SHORTER" | tr a-z A-Z)x"',
    '"Bearer $(printf %s "$SHORTER" | tr a-z A-Z)ax"',
  ])
  expect(evaluate(words, 'sh')).toEqual(tokens.map((token) => `Bearer ${token}x`))
})
