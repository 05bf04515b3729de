import { Option, type Command } from 'commander'
import { flagOf } from '../../conformance/target-file/index.ts'
import { kinds } from '../../conformance/target-file/kinds.ts'
import { keys } from '../../conformance/target.ts'

const examples = `
Examples:
  touchstone test                                          the bundled servers
  touchstone test --target touchstone.yaml                 what a file describes
  IMAGES_TOKEN=… touchstone test --images-url http://127.0.0.1:4010/client/v4 --images-account acc-1
  touchstone test --only IMG-UPLOAD-04 --verbose           one requirement
  touchstone test --only IMG-UPLOAD,IMG-TICKET             all requirements that begin so
  touchstone test --list --level must                      what would be judged

Secrets are best given by the environment: IMAGES_TOKEN, IMAGES_LIMITED_TOKEN, IMAGES_BATCH_TOKEN.
Exit status: 0 conformant, 1 a violation, 2 with --strict a demand not covered, 3 an error of usage or of the suite.`

/** Declares `touchstone test`. What it runs is loaded when it runs. */
export function describe(command: Command): void {
  declareOptions(command)
  command.addHelpText('after', examples).action(async (options: object) => {
    const { run } = await import('./test/run.ts')
    await run(options)
  })
}

/** What is judged, and how: the options of every host. */
export function declareOptions(command: Command): void {
  command
    .description(
      'Judges an implementation. What: the file of --target, else the URL of the flags below, else touchstone.yaml in this folder, else the bundled servers.',
    )
    .option('--target <file>', 'a target file (touchstone init writes one)')
    .option('--bundled', 'judge the bundled servers, even where there is a touchstone.yaml')
    .option(
      '--only <id>',
      'requirement, beginning of requirements, or key of a check; repeatable, or with commas',
      collected,
    )
    .option('--topic <topic>', 'one topic; repeatable', collected)
    .option('--contract <contract>', 'one contract; repeatable', collected)
    .option('--level <level>', 'must, should, may or open; repeatable', collected)
    .option('--strict', 'exit 2 where a must was not covered (the default for the bundled servers)')
    .option('--no-strict', 'never exit 2')
    .option('--report <folder>', 'where reports are written', 'report')
    .option(
      '--reporter <name>',
      'console, json, junit, exchanges, html or markdown; repeatable (default: the first four)',
      collected,
    )
    .option('--concurrency <n>', 'requests under way at once')
    .option('--verbose', 'print every check, and what is observed')
    .option('--json', 'print the JSON report on standard output, and nothing else')
    .option('--list', 'print what would be judged, and judge nothing')
  for (const { path, kind, says, variable, fallback } of keys) {
    const value = kind === 'switch' ? '[true|false]' : `<${kinds[kind].placeholder ?? kind}>`
    const more = [
      variable === undefined ? undefined : `else ${variable}`,
      fallback === undefined ? undefined : `else ${fallback}`,
    ]
    const text = [says, ...more.filter((note) => note !== undefined)].join('; ')
    command.addOption(
      new Option(`${flagOf(path)} ${value}`, text).helpGroup('The target, key by key:'),
    )
  }
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
