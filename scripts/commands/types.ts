import type { Command } from 'commander'
import { contractNames } from '../contracts.ts'

const examples = `
Examples:
  touchstone types --out src/contracts                 writes images.ts, schemas/images/*.json and the others
  touchstone types --out src/contracts --contract greeting
                                                       greeting.ts, schemas/greeting/greeting.proto and its descriptor.binpb
  touchstone types --out src/contracts --check         in CI: exits with 1 if a file is out of date
  touchstone types --out src/contracts --force         also overwrites files that it did not write
`

/** Declares `touchstone types`. */
export function describe(command: Command): void {
  const contracts = contractNames()
  command
    .description(
      "Writes a contract's TypeScript types, which import no package, and its JSON Schemas into a folder. " +
        'It updates files that it wrote before, and leaves other files alone.',
    )
    .option('--out <dir>', 'the folder to write to')
    .option(
      '--contract <name>',
      `which contract: ${contracts.slice(0, -1).join(', ')} or ${contracts.at(-1)!} (default: all)`,
    )
    .option('--lang <language>', 'which language (so far: typescript)', 'typescript')
    .option('--check', 'write nothing; exit with 1 if a file is missing or out of date')
    .option('--force', 'overwrite files that it did not write')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', examples)
    .action(async (options: object) => {
      const { run } = await import('./types/run.ts')
      await run(options)
    })
}
