import type { Command } from 'commander'

const examples = `
Examples:
  touchstone lint-tools tools.json
      a saved tools/list result
  touchstone lint-tools tools.json --server-name shelf_mcp
      also checks that tool names match this server name
  touchstone lint-tools http://127.0.0.1:8000/mcp
      a server, over streamable HTTP
  touchstone lint-tools --sse http://127.0.0.1:8000/sse
      over HTTP+SSE; the same as sse:http://127.0.0.1:8000/sse
  touchstone lint-tools --stdio "node server.js --quiet"
      started as a subprocess; the same as "stdio:node server.js --quiet"
  curl -s … | touchstone lint-tools -
      from standard input

A file contains the result, the whole JSON-RPC response, or an array of tools.
An error is a violation of the contract. A warning is a possible violation,
which only a person can judge.

Exit status:
  0    no errors
  1    errors; with --strict, errors or warnings
  3    a usage error, or no tools could be read`

/** Declares `touchstone lint-tools`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      'Checks tool definitions against the contract for tool servers: names, descriptions, input fields and annotations. It calls no tool.',
    )
    .argument(
      '[file]',
      'a saved tools/list result, a server (its URL, sse:URL or "stdio:COMMAND"), or - for standard input (the default)',
    )
    .option('--http <url>', 'list the tools of this server over streamable HTTP')
    .option('--sse <url>', 'list the tools of this server over HTTP+SSE')
    .option(
      '--stdio <command>',
      'start this command and list its tools over standard input and output',
    )
    .option(
      '--header <name=value>',
      'header to send with every HTTP request; repeatable',
      collected,
    )
    .option(
      '--server-name <name>',
      'name of the server (default: the name that the server reports)',
    )
    .option(
      '--ignore <rule>',
      'requirement to ignore, such as TOOL-LIMIT-01, the beginning of several, such as TOOL-HINT, or the name of one rule, such as limit-default (findings end with both in brackets); repeatable',
      collected,
    )
    .option('--strict', 'also exit with 1 if there are warnings')
    .option('--json', 'print lines of JSON: one for each finding, then a summary')
    .addHelpText('after', examples)
    .action(async (file: string | undefined, options: object) => {
      const { run } = await import('./lint-tools/run.ts')
      await run(file, options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
