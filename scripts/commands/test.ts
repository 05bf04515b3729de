import { Option, type Command } from 'commander'
import { flagOf } from '../../conformance/target-file/index.ts'
import { kinds } from '../../conformance/target-file/kinds.ts'
import { keys } from '../../conformance/target.ts'

const examples = `
Examples:
  touchstone test                                          the bundled servers
  touchstone test --target touchstone.yaml                 the servers in a target file
  IMAGES_TOKEN=… touchstone test --images-url http://127.0.0.1:4010/client/v4 --images-account acc-1
  touchstone test --only IMG-UPLOAD-04 --verbose           one requirement
  touchstone test --only IMG-UPLOAD,IMG-TICKET             all requirements with these prefixes
  touchstone test --list --level must                      what would be checked

Set secrets in the environment: IMAGES_TOKEN, IMAGES_LIMITED_TOKEN, IMAGES_BATCH_TOKEN.
Exit status: 0 conformant, 1 a violation, 2 with --strict a must not covered, 3 an error in the usage or in the suite.`

/** Declares `touchstone test`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  declareOptions(command)
  command.addHelpText('after', examples).action(async (options: object) => {
    const { run } = await import('./test/run.ts')
    await run(options)
  })
}

/** Declares the options that `touchstone test` and `npm run conformance` share. */
export function declareOptions(command: Command): void {
  command
    .description(
      'Tests a server. The target is read from the flags below, else from the file of --target, else from touchstone.yaml in this folder; without any of these, the bundled servers are tested.',
    )
    .option('--target <file>', 'a target file (touchstone init writes one)')
    .option('--bundled', 'test the bundled servers, even if there is a touchstone.yaml')
    .option(
      '--only <id>',
      'a requirement, a prefix of requirements, or the key of a check; repeatable, or separated by commas',
      collected,
    )
    .option('--topic <topic>', 'one topic; repeatable', collected)
    .option('--contract <contract>', 'one contract; repeatable', collected)
    .option('--level <level>', 'must, should, may or open; repeatable', collected)
    .option('--strict', 'exit with 2 if a must was not covered (default for the bundled servers)')
    .option('--no-strict', 'never exit with 2')
    .option('--report <folder>', 'folder for the reports', 'report')
    .option(
      '--reporter <name>',
      'console, json, junit, exchanges, html or markdown; repeatable (default: the first four)',
      collected,
    )
    .option('--concurrency <n>', 'largest number of concurrent requests')
    .option('--verbose', 'print every check and every observation')
    .option('--json', 'print only the JSON report')
    .option('--list', 'print what would be checked, and check nothing')
  for (const { path, kind, description, variable, fallback } of keys) {
    const value = kind === 'switch' ? '[true|false]' : `<${kinds[kind].placeholder ?? kind}>`
    const more = [
      variable === undefined ? undefined : `default: ${variable}`,
      fallback === undefined ? undefined : `default: ${fallback}`,
    ]
    const text = [description, ...more.filter((note) => note !== undefined)].join('; ')
    command.addOption(new Option(`${flagOf(path)} ${value}`, text).helpGroup('Keys of the target:'))
  }
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
