import type { Command } from 'commander'
import { declareKeys } from './test/key-options.ts'

const examples = `
Examples:
  touchstone clean
      remove what earlier runs with touchstone.yaml left
  touchstone clean --dry-run
      print what is left, and send nothing
  touchstone clean http://127.0.0.1:8080/client/v4 --account acc-1
      remove what earlier runs with this address left

While touchstone test runs, it lists what it creates and changes in the file
report/created.ndjson, without tokens. The file is deleted when nothing is left.
touchstone clean reads this file, and needs the same target as the run that
wrote it: the same target file, address or options. To print the options for the
keys of a target, use:
  touchstone test --help images|hooks|receiver|greeting|tools

Exit status:
  0    nothing is left, or --dry-run printed the list, or --forget deleted it
  1    something could not be removed or restored; the output names it
  3    a usage error, or a file that cannot be read`

export interface CleanOptions {
  address?: string
  account?: string
  project?: string
  target?: string
  report: string
  dryRun?: boolean
  forget?: boolean
  force?: boolean
  concurrency?: string
  json?: boolean
}

/** Declares `touchstone clean`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Removes the images, variants and hooks that a run of touchstone test left on a server because the run was killed or the server did not respond. Also restores settings that the run changed. Sends requests only to the servers of the target, and deletes only what the run created: it reads each hook first, and each image whose id is not one of the run.',
    )
    .argument('[address]', 'the address that was passed to touchstone test, if any')
    .option('--account <id>', 'the account that was passed to touchstone test, if any')
    .option('--project <id>', 'the project that was passed to touchstone test, if any')
    .option('--target <file>', 'target file (default: touchstone.yaml, if it exists)')
    .option('--report <folder>', 'report folder of the run that left something', 'report')
    .option('--dry-run', 'print what is left, and send nothing')
    .option(
      '--forget',
      'delete the list of what is left, and send nothing; use this after you have removed everything yourself',
    )
    .option(
      '--force',
      'also delete hooks and images if the server does not show whether the run created them; an id can belong to another hook after a restart',
    )
    .option('--concurrency <n>', 'short for --suite-concurrency')
    .option('--json', 'print the result as JSON')
  declareKeys(command, { isHidden: true })
  command
    .addHelpText('after', examples)
    .action(async (address: string | undefined, options: CleanOptions) => {
      const { run } = await import('./clean/run.ts')
      await run({ ...options, ...(address === undefined ? {} : { address }) })
    })
}
