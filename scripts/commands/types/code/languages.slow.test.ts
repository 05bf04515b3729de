import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import { install, installTimeoutMs } from '../../../../conformance/proof/interop/apt.testing.ts'
import { commandOf } from '../../command.testing.ts'
import { describe as describeTypesCommand } from '../../types.ts'
import { strictnesses, type TypeStrictness } from '../contract-files.ts'
import { compileKotlin, compilers, kotlinPackages, writeExamples } from './compilers.testing.ts'
import { payloads, contractExamples, withoutNulls } from './examples.testing.ts'

// The generated code compiles with the compilers of Debian, and reads and writes every example
// without loss.
const examples = {
  documented: await contractExamples('documented'),
  stated: await contractExamples('stated'),
}

const log = (line: string) => process.stderr.write(`\n${line}\n`)

let failure: string | undefined
beforeAll(async () => {
  const packages = Object.entries({
    ...kotlinPackages,
    ...compilers.python.packages,
    ...compilers.go.packages,
    ...compilers.java.packages,
    ...compilers.rust.packages,
  })
  const missing = () => packages.filter(([, file]) => !existsSync(file)).map(([name]) => name)
  if (missing().length === 0) return
  failure = await install(missing(), 'the tests of generated types', log)
  if (failure === undefined && missing().length > 0) failure = `${missing().join()} lacks its files`
  if (failure !== undefined && !process.env['CI'])
    log(`SKIPPED: the tests of generated types. ${failure}`)
}, installTimeoutMs)

/** In CI no test may be skipped. */
function requireCompilers({ skip }: TestContext): void {
  if (failure === undefined) return
  if (process.env['CI']) throw new Error(failure)
  skip(failure)
}

const base = mkdtempSync(join(tmpdir(), 'touchstone-languages-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const types = commandOf('types', describeTypesCommand)

/** Writes the types of a language into the folder `types/` of a new folder. */
async function writeTypes(language: string, strictness: TypeStrictness): Promise<string> {
  const folder = join(base, `${language}-${strictness}`)
  const out = join(folder, 'types')
  const { status, error } = await types(
    ...['--lang', language, '--strictness', strictness, '--out', out],
  )
  expect([status, error]).toEqual([0, ''])
  return folder
}

test('there are examples of every contract, and all sample payloads unchanged', () => {
  expect(payloads().length).toBeGreaterThan(50)
  expect(examples.documented).toEqual(expect.arrayContaining(payloads()))
  expect(new Set(payloads().map(({ type }) => type)).size).toBe(9)
  for (const contract of ['images', 'hooks', 'tools', 'auth'])
    expect(examples.documented.map((one) => one.contract)).toContain(contract)
})

const runs = (['python', 'go', 'java', 'rust'] as const).flatMap((language) =>
  strictnesses.map((strictness) => ({ language, strictness })),
)

test.for(runs)(
  'the $language code ($strictness) compiles, and reads and writes every example without loss',
  async ({ language, strictness }, context) => {
    requireCompilers(context)
    const folder = await writeTypes(language, strictness)
    const expected = examples[strictness]
    writeExamples(folder, expected)
    const lines = (await compilers[language].roundTrip(folder, expected)).trimEnd().split('\n')
    const written = lines.map((line) => withoutNulls(JSON.parse(line)))
    expect(written).toEqual(expected.map(({ value }) => withoutNulls(value)))
  },
)

test.for(strictnesses)('the kotlin code (%s) compiles', async (strictness, context) => {
  requireCompilers(context)
  const folder = await writeTypes('kotlin', strictness)
  const files = readdirSync(join(folder, 'types'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.kt'))
    .map((file) => join('types', file))
  expect(files.length).toBe(5)
  await compileKotlin(folder, files)
})

test('the sample payloads have the types that are written for TypeScript', async () => {
  const folder = await writeTypes('typescript', 'documented')
  const use = join(folder, 'use.ts')
  const lines = payloads().map(
    ({ type, value }, index) =>
      `export const payload${index}: events.${type} = ${JSON.stringify(value)}`,
  )
  writeFileSync(use, ["import type * as events from './types/events'", ...lines].join('\n'))
  const program = ts.createProgram([use], { strict: true, noEmit: true, types: [] })
  const problems = ts.getPreEmitDiagnostics(program)
  expect(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  ).toEqual([])
})
