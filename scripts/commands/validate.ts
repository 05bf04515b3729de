import type { Command } from 'commander'

const examples = `
Examples:
  touchstone validate push.json                       one payload
  touchstone validate deliveries/ --quiet             what listen --save kept
  touchstone validate deliveries.ndjson               one delivery to a line
  curl -s … | touchstone validate                     from standard input
  touchstone validate payload.json --event pipeline   of an event that is told

A file holds a payload, a delivery with its headers, an array of them, or one
to a line.
Exit status: 0 all keep the contract, 1 a must is broken (with --strict also a
should), 3 something could not be read.`

/** Declares `touchstone validate`. What it runs is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Judges saved deliveries by the contract, without a network: payloads, and headers where they were saved too.',
    )
    .argument('[file...]', 'files, folders, or - for standard input (the default)')
    .option('--event <name>', 'what the payloads are; without it each says so in its object_kind')
    .option('--strict', 'end with 1 also where a should is broken')
    .option('--quiet', 'print only what differs, and the summary')
    .option('--json', 'print lines of JSON: one for each delivery, then a summary')
    .addHelpText('after', examples)
    .action(async (files: string[], options: object) => {
      const { run } = await import('./validate/run.ts')
      await run(files, options)
    })
}
