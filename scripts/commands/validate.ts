import type { Command } from 'commander'

const examples = `
Examples:
  touchstone validate push.json
      one payload
  touchstone validate deliveries/ --quiet
      deliveries from listen --save
  touchstone validate deliveries.ndjson
      one delivery per line
  curl -s … | touchstone validate
      from standard input
  touchstone validate payload.json --event pipeline
      the payload of a pipeline event

To keep the token out of the command line, set it in the environment variable
RECEIVER_SECRET instead of using --token.

A file contains a payload, or a delivery with its headers; or several of these,
as a JSON array or one per line.

Exit status:
  0    conformant
  1    a requirement of level "must" is not met; with --strict, also if one of
       level "should" is not met
  3    a usage error, or a file that could not be read`

/** Declares `touchstone validate`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Checks saved deliveries against the contract, offline: their payloads, and their headers if they were saved.',
    )
    .argument('[file...]', 'files, folders, or - for standard input (the default)')
    .option('--event <name>', 'event of the payloads (default: taken from object_kind)')
    .option(
      '--token <secret>',
      'expected value of X-Hook-Token (default: the environment variable RECEIVER_SECRET; without either, tokens are not checked)',
    )
    .option('--strict', 'also exit with 1 if a requirement of level "should" is not met')
    .option('--quiet', 'print only violations and the summary')
    .option('--json', 'print lines of JSON: one for each delivery, then a summary')
    .addHelpText('after', examples)
    .action(async (files: string[], options: object) => {
      const { run } = await import('./validate/run.ts')
      await run(files, options)
    })
}
