import type { Command } from 'commander'

const examples = `
Examples:
  touchstone diff v1/openapi.yaml v2/openapi.yaml
  touchstone diff released/ specs/ --json
      compares all contracts of two folders, paired by their path
  touchstone diff old.json new.json --direction received
      JSON Schemas of values that you only receive

A change is breaking if it breaks users of the types: clients of a server, and
receivers of messages. They must still be allowed to send what they send, and
must expect everything that they receive. docs/versioning.md lists the rules.

Exit status:
  0    without breaking changes
  1    with breaking changes
  3    a usage error, or a file that cannot be read
`

/** Declares `touchstone diff`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Lists the changes between two versions of a contract, the breaking ones first. Compares OpenAPI 3, AsyncAPI, JSON Schema and Protocol Buffers.',
    )
    .argument('<old>', 'the older version: a file, or a folder of contracts')
    .argument('<new>', 'the newer version: a file, or a folder of contracts')
    .option(
      '--direction <direction>',
      'who writes the values of a JSON Schema: you (sent), the other side (received), or either of them (both)',
      'both',
    )
    .option('--breaking', 'list only breaking changes')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', examples)
    .action(async (older: string, newer: string, options: object) => {
      const { run } = await import('./diff/run.ts')
      run(older, newer, options)
    })
}
