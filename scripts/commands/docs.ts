import type { Command } from 'commander'
import { contractNames } from '../contracts.ts'

const examples = `
Examples:
  touchstone docs --out contract-docs
      writes index.html, and a page for each contract, such as images.html
  touchstone docs --out contract-docs --contract hooks --contract events
      writes only the pages of these contracts, and an index of them
  touchstone docs --out report/docs
      the HTML reports of touchstone test in the folder report then link to
      these pages

The pages need no network and no server: open index.html in a browser. Each
requirement has an address, such as images.html#IMG-LIST-06.

Exit status:
  0    written, or up to date
  3    a usage error, or a file that cannot be written
`

/** Declares `touchstone docs`. */
export function describe(command: Command): void {
  const contracts = contractNames()
  command
    .description(
      'Writes the documentation of the contracts as web pages: every requirement with its source, its checks and the faults that they find; the operations, messages and schemas, with examples; and a search. ' +
        'Updates the pages that an earlier run wrote, and deletes those of other contracts. Changes other files only with --force.',
    )
    .option('--out <folder>', 'folder to write to')
    .option(
      '--contract <name>',
      `only this contract: ${contracts.slice(0, -1).join(', ')} or ${contracts.at(-1)!}; repeatable (default: all)`,
      collected,
    )
    .option('--force', 'overwrite files that this command did not write')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', examples)
    .action(async (options: object) => {
      const { run } = await import('./docs/run.ts')
      await run(options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
