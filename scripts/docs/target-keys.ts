import { shownFlagOf } from '../../conformance/target-file/index.ts'
import type { Key } from '../../conformance/target-file/keys.ts'

const intro = `# Every key of the target file

This page is generated from the declarations of the keys: \`npx vitest run scripts/docs --update\`.

A key can be set with its option, in the target file (\`touchstone.yaml\`), or with its environment
variable, if it has one. An option has precedence over the file, and the file over the environment.
\`\${NAME}\` in the file is replaced by the environment variable of that name. A key marked
"Required" must be set if another key of its group is set; for example, \`images.batch.url\` if
\`images.batch.token\` is set. If a key is not set, the checks that need it are _not covered_. On the
command line, separate names in a list with commas, and write objects and lists of strings as JSON.
`

const cell = (text: string): string => text.replaceAll('|', '\\|')
const code = (text: string): string => `\`${cell(text)}\``

function rowOf({ path, description, example, variable, fallback, required }: Key): string {
  const notes = [
    required === true ? 'Required.' : '',
    fallback === undefined ? '' : `Default: ${code(fallback)}.`,
    variable === undefined ? '' : `Environment: ${code(variable)}.`,
  ].filter((note) => note !== '')
  return `| ${code(path)} | ${cell([`${description}.`, ...notes].join(' '))} | ${code(example)} | ${code(shownFlagOf(path))} |`
}

/** Returns a Markdown page with a table of keys for each section. */
export function targetKeysPage(keys: readonly Key[]): string {
  const sections = [...new Set(keys.map(({ path }) => path.split('.')[0]!))]
  return [
    intro,
    ...sections.map((section) =>
      [
        `## ${section}\n`,
        '| key | meaning | example | option |',
        '| --- | --- | --- | --- |',
        ...keys.filter(({ path }) => path.split('.')[0] === section).map(rowOf),
        '',
      ].join('\n'),
    ),
  ].join('\n')
}
