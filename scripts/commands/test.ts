import type { Command } from 'commander'
import { contractNames } from '../contracts.ts'
import { declareKeys } from './test/key-options.ts'
import { formatTestHelp, helpTopicIn, helpTopics } from './test/help.ts'
import type { TestOptions } from './test/options.ts'

const examples = `
Examples:
  touchstone test
      the servers in touchstone.yaml, or else the bundled servers
  touchstone test --target staging.yaml
      the servers in another target file
  touchstone test http://127.0.0.1:8000/mcp
      the server at this address
  IMAGES_TOKEN=… touchstone test http://127.0.0.1:8080/client/v4 --account acc-1
      the image API at this address
  touchstone test --suite-timeout 30s
      touchstone.yaml, with another timeout
  touchstone test --only IMG-UPLOAD-04 --verbose
      one requirement
  touchstone test --only IMG-UPLOAD,IMG-TICKET
      all requirements whose IDs begin with IMG-UPLOAD- or IMG-TICKET-
  touchstone test --failed
      only what failed in the last run
  touchstone test --watch
      run the checks again when you restart your server
  touchstone test --list --level must
      which checks would run, without running them

To keep secrets out of the command line, set them in the environment variables
that are named above, such as IMAGES_TOKEN.

Exit status:
  0    conformant
  1    a requirement of level "must" is not met, or could not be checked because
       of a failure, or a known failure no longer fails
  2    with --strict: a requirement of level "must" was not covered
  3    no result: a usage error, a wrong target file, a server that refuses
       connections or the token, a rate limit that prevents every check, or a
       defect of the suite
  130  cancelled with Ctrl-C`

/** Declares `touchstone test`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  declareOptions(command)
  command
    .argument(
      '[address]',
      'the server to test, instead of those in touchstone.yaml: a URL, or a host with a port; the suite finds out which kind of server it is',
    )
    .option('--account <id>', 'the server at this address is an image API with this account')
    .option('--project <id>', 'the server at this address is a webhook API with this project')
    .option(
      '--watch',
      'after the run, run the checks again when you press a key, or when a server that you stopped listens again, and print what has changed',
    )
  const topic = () => helpTopicIn(process.argv)
  command
    .helpOption('-h, --help', `print the options; with ${helpTopics.join(', ')}: their details`)
    .configureHelp({
      ...command.configureHelp(),
      formatHelp: (described, helper) => formatTestHelp(described, helper, topic()),
    })
    .addHelpText('after', () => (topic() === 'all' ? examples : ''))
    .action(async (address: string | undefined, options: TestOptions) => {
      const { run } = await import('./test/run.ts')
      await run({ ...options, ...(address === undefined ? {} : { address }) })
    })
}

/** Declares the options that `touchstone test` and `npm run conformance` share. */
export function declareOptions(command: Command): void {
  const contracts = contractNames()
  command
    .description(
      'Tests the servers in a target file: the file that --target names, or touchstone.yaml in this folder or one of its parents. ' +
        'Options for single keys (listed below) override the file. ' +
        'If an option contains the address of a server (--images-url, --hooks-url, --receiver-url, --greeting-address, --tools-http, --tools-sse or --tools-stdio-command), touchstone.yaml is not read unless --target names it. ' +
        'If neither a file nor an option contains the address of a server, the command tests the bundled servers, which are stateful mocks.',
    )
    .option(
      '--target <file>',
      'target file (touchstone init writes one; default: touchstone.yaml, if it exists)',
    )
    .option('--bundled', 'test the bundled servers, even if there is a touchstone.yaml')
    .option(
      '--only <id>',
      'ID of a requirement (IMG-UPLOAD-04), the first parts of IDs (IMG or IMG-UPLOAD), or a check (copy it from the line "repeat" of a failure); repeatable, or separated by commas; if it examines the messages of other checks, those that usually send such messages run too',
      collected,
    )
    .option(
      '--skip <id>',
      'checks to skip, in the same form as for --only; they run only if another check depends on them; repeatable',
      collected,
    )
    .option(
      '--failed',
      'only the checks that failed, were blocked or had an error in the last report (see --report)',
    )
    .option(
      '--bail',
      'end the run after the first failure, and print only that failure; if other checks failed before the run ended, the report files explain them',
    )
    .option(
      '--topic <topic>',
      'only checks of this topic (--list prints the topics); repeatable',
      collected,
    )
    .option(
      '--contract <contract>',
      `only checks of this contract: ${contracts.slice(0, -1).join(', ')} or ${contracts.at(-1)!} (events: deliveries and their receivers; auth: authentication of tool servers); repeatable`,
      collected,
    )
    .option(
      '--level <level>',
      'only requirements of this level: must, should or open (the contract leaves a choice); requirements of level "may" are not checked; repeatable',
      collected,
    )
    .option(
      '--profile <profile>',
      'tool servers only: mcp (what the Model Context Protocol and the standards of authorization require) or conventions (what the contract for tool servers requires in addition)',
    )
    .option(
      '--strict',
      'exit with 2 if a requirement of level "must" was not covered (default for the bundled servers)',
    )
    .option('--no-strict', 'never exit with 2')
    .option('--wait <duration>', 'wait until the servers listen, at most this long, such as 30s')
    .option(
      '--no-preflight',
      'run the checks even if a server does not listen, or rejects every request',
    )
    .option('--report <folder>', 'folder for the reports', 'report')
    .option(
      '--reporter <name>',
      'console, json, junit, exchanges (the requests and responses of each failure, warning and error), html (a page to read), markdown, badge (an image, and an endpoint for shields.io), or github (annotations, and the summary of the step); repeatable (default: the first five; on GitHub Actions, also github). The word default adds the default reporters: --reporter default,badge',
      collected,
    )
    .option(
      '--exchanges <which>',
      'which requests and responses the reports contain: failed (those of checks that did not pass) or all (also those of passed checks, at most the last 50 of each)',
      'failed',
    )
    .option('--concurrency <n>', 'short for --suite-concurrency')
    .option('--expected <file>', 'short for --suite-expected')
    .option(
      '--write-expected',
      'write all failures of this run to the file of known failures (the file of --expected; by default expected.yaml; never the target file), and remove the entries that no longer fail',
    )
    .option(
      '--verbose',
      'print every check and every observation; checks that have no result for the same reason are printed together',
    )
    .option('--json', 'print only the JSON report')
    .option(
      '--list',
      'print the selected checks without running them; if a target is given, only the checks that apply to that target, each with its missing keys',
    )
  declareKeys(command)
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
