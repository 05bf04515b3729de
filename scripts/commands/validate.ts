import type { Command } from 'commander'

const examples = `
Examples:
  touchstone validate push.json                       one payload
  touchstone validate deliveries/ --quiet             deliveries from listen --save
  touchstone validate deliveries.ndjson               one delivery per line
  curl -s … | touchstone validate                     from standard input
  touchstone validate payload.json --event pipeline   of a given event

A file contains a payload, a delivery with its headers, an array of them, or
one per line.
Exit status: 0 conformant, 1 a must is not met (with --strict also a should),
3 something could not be read.`

/** Declares `touchstone validate`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Checks saved deliveries against the contract, without a network: payloads, and headers if they were saved.',
    )
    .argument('[file...]', 'files, folders, or - for standard input (the default)')
    .option('--event <name>', 'event of the payloads (default: read from object_kind)')
    .option('--strict', 'exit with 1 also if a should is not met')
    .option('--quiet', 'print only violations and the summary')
    .option('--json', 'print lines of JSON: one for each delivery, then a summary')
    .addHelpText('after', examples)
    .action(async (files: string[], options: object) => {
      const { run } = await import('./validate/run.ts')
      await run(files, options)
    })
}
