import type { Command } from 'commander'
import { contractNames } from '../contracts.ts'

const examples = `
Examples:
  touchstone types --out src/contracts                 write images.ts, schemas/images/*.json and all others there
  touchstone types --out src/contracts --contract greeting
                                                       greeting.ts, schemas/greeting/greeting.proto and its descriptor.binpb
  touchstone types --out src/contracts --check         in CI: ends with 1 where they are not what they would be now
  touchstone types --out src/contracts --force         also over files that somebody else wrote
`

/** Declares `touchstone types`. */
export function describe(command: Command): void {
  const contracts = contractNames()
  command
    .description(
      "Writes a contract's TypeScript types, which need no package beside them, and its JSON Schemas into a folder. " +
        'Files that it wrote before are brought up to date; those of others are left alone.',
    )
    .option('--out <dir>', 'the folder to write to')
    .option(
      '--contract <name>',
      `which contract: ${contracts.slice(0, -1).join(', ')} or ${contracts.at(-1)!} (default: all)`,
    )
    .option('--lang <language>', 'which language (so far: typescript)', 'typescript')
    .option(
      '--check',
      'write nothing, compare: status 1 where a file is missing, differs or is stale',
    )
    .option('--force', 'overwrite files that it did not write')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', examples)
    .action(async (options: object) => {
      const { run } = await import('./types/run.ts')
      await run(options)
    })
}
