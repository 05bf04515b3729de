import type { Command } from 'commander'
import { declareKeys } from './test/key-options.ts'

const examples = `
Examples:
  touchstone clean
      remove what a run with touchstone.yaml left
  touchstone clean --dry-run
      print what is left, and send nothing
  IMAGES_TOKEN=… touchstone clean http://127.0.0.1:8080/client/v4 --account acc-1
      remove what a run with this address left

While touchstone test runs, it writes what it creates and changes to
report/created.ndjson, without tokens. The file is deleted when nothing is left.
This command needs the same target as that run. The options of touchstone test
for single keys work too: touchstone test --help images|hooks|receiver|greeting|tools

Exit status:
  0    nothing is left
  1    something could not be removed; the command names it
  3    a usage error, or a file that cannot be read`

export interface CleanOptions {
  address?: string
  account?: string
  project?: string
  target?: string
  report: string
  dryRun?: boolean
  forget?: boolean
  json?: boolean
}

/** Declares `touchstone clean`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Removes what a run of touchstone test left on a server because the run was killed, or because the server did not respond: images, variants, hooks and changed settings. Sends requests only to the servers in the target file, and deletes only what such a run created.',
    )
    .argument('[address]', 'the address that was passed to touchstone test, if any')
    .option('--account <id>', 'the account that was passed to touchstone test, if any')
    .option('--project <id>', 'the project that was passed to touchstone test, if any')
    .option('--target <file>', 'target file (default: touchstone.yaml, if it exists)')
    .option('--report <folder>', 'folder of the reports of that run', 'report')
    .option('--dry-run', 'print what is left, and send nothing')
    .option(
      '--forget',
      'delete the list of what is left, and send nothing; for use after you removed it yourself',
    )
    .option('--json', 'print the result as JSON')
  declareKeys(command, { isHidden: true })
  command
    .addHelpText('after', examples)
    .action(async (address: string | undefined, options: CleanOptions) => {
      const { run } = await import('./clean/run.ts')
      await run({ ...options, ...(address === undefined ? {} : { address }) })
    })
}
