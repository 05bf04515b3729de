import type { Command } from 'commander'
import { contractNames } from '../contracts.ts'

const examples = `
Examples:
  touchstone types --out src/contracts                 writes images.ts and schemas/images/*.json, and the same for the other contracts
  touchstone types --out src/contracts --contract greeting
                                                       writes greeting.ts, schemas/greeting/greeting.proto and descriptor.binpb
  touchstone types --out src/contracts --check         in CI: exits with 1 if a file is missing or out of date
  touchstone types --out src/contracts --force         also overwrites files that touchstone types did not write

Validators are not written: import them from the package, as in
  import { validateImage } from 'touchstone/images'

Exit status:
  0    written, or with --check: up to date
  1    with --check: a file is missing or out of date
  3    a usage error
`

/** Declares `touchstone types`. */
export function describe(command: Command): void {
  const contracts = contractNames()
  command
    .description(
      'Writes the TypeScript types and the JSON Schemas of the contracts into a folder. The types import no package. ' +
        'Files of an earlier run are updated; other files are not changed.',
    )
    .option('--out <folder>', 'folder to write to')
    .option(
      '--contract <name>',
      `only this contract: ${contracts.slice(0, -1).join(', ')} or ${contracts.at(-1)!} (default: all)`,
    )
    .option(
      '--lang <language>',
      'language of the types; only typescript is supported',
      'typescript',
    )
    .option('--check', 'write nothing; exit with 1 if a file is missing or out of date')
    .option('--force', 'overwrite files that touchstone types did not write')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', examples)
    .action(async (options: object) => {
      const { run } = await import('./types/run.ts')
      await run(options)
    })
}
