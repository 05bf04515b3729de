import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { passagesOfSource, passagesOfText, type Passage } from './read.ts'
import { exceptions, checkedPaths } from './checked-paths.ts'
import { bannedPhrases } from './words.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const filesOf = (path: string): string[] =>
  ts.sys.fileExists(join(root, path))
    ? [path]
    : ts.sys
        .readDirectory(
          join(root, path),
          ['.ts', '.md', '.yaml'],
          ['**/node_modules', '**/*.d.ts', '**/proof/blind'],
        )
        .map((path) => relative(root, path))

const passagesOf = (file: string): Passage[] => {
  const content = readFileSync(join(root, file), 'utf8')
  return file.endsWith('.ts') ? passagesOfSource(content) : passagesOfText(content)
}

/** The banned phrases of a passage, each with what to write instead. */
const found = ({ text, isName = false }: Passage): string[] =>
  bannedPhrases
    .filter(({ isForNames = false }) => !(isName && isForNames))
    .flatMap(({ phrase, instead }) =>
      [...text.matchAll(phrase)].map(([match]) => `"${match}": write "${instead}"`),
    )

describe('prose', () => {
  it.each(checkedPaths)('of %s contains no banned phrase', (path) => {
    const problems = filesOf(path).flatMap((file) =>
      passagesOf(file)
        .filter(
          ({ text }) =>
            !exceptions.some(
              (exception) => exception.file === file && text.includes(exception.contains),
            ),
        )
        .flatMap((passage) => found(passage).map((what) => `${file}:${passage.line} ${what}`)),
    )
    expect(problems).toEqual([])
  })

  it.each(checkedPaths)('of %s is at most 100 columns wide in comments', (path) => {
    const isComment = /^\s*(?:\/?\*|\/\/)/
    const wide = filesOf(path)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            line.length > 100 && isComment.test(line) ? [`${file}:${index + 1}`] : [],
          ),
      )
    expect(wide).toEqual([])
  })

  it('is read from comments, strings, templates and names', () => {
    const source = [
      '// told in a comment',
      'const one = `told ${2} times`',
      "const two = 'whoever comes' /* beside */",
      "import 'told'",
      'const timesTold = whoever.count',
      'const rows = 1',
    ].join('\n')
    const problems = passagesOfSource(source).flatMap((passage) =>
      found(passage).map((what) => `${passage.line} ${what.split(':')[0]}`),
    )
    expect(problems).toEqual(['1 "told"', '2 "told"', '3 "beside"', '3 "whoever"', '5 "told"'])
  })

  it('of Markdown is read without code', () => {
    expect(
      passagesOfText('a `told` b\n```\ntold\n```\nwhoever').map((one) => found(one).length),
    ).toEqual([0, 0, 0, 0, 1])
  })

  it.each(exceptions.filter(({ contains }) => contains !== ''))(
    'has no stale exception: "$contains" in $file',
    ({ file, contains }) => {
      expect(
        passagesOf(file).some(
          (passage) => passage.text.includes(contains) && found(passage).length > 0,
        ),
      ).toBe(true)
    },
  )
})
