import type { Command } from 'commander'

const examples = `
Examples:
  touchstone lint-tools tools.json                              a saved tools/list result
  touchstone lint-tools tools.json --server-name shelf_mcp      and whether its names fit the server's
  touchstone lint-tools --http http://127.0.0.1:8000/mcp        a server, over streamable HTTP
  touchstone lint-tools --sse http://127.0.0.1:8000/sse         over HTTP+SSE
  touchstone lint-tools --stdio "node server.js --quiet"        started as a subprocess
  curl -s … | touchstone lint-tools -                           from standard input

A file holds the result, the whole JSON-RPC response, or an array of tools.
An error breaks a convention; a warning is for people to judge.
Exit status: 0 no errors, 1 errors (with --strict also warnings), 3 nothing could be judged.`

/** Declares `touchstone lint-tools`. What it runs is loaded when it runs. */
export function describe(command: Command): void {
  command
    .description(
      "Judges the definitions of a tool server's tools by the conventions: names, descriptions, input fields, annotations. Calls no tool.",
    )
    .argument('[file]', 'a saved tools/list result, or - for standard input (the default)')
    .option('--http <url>', 'ask the server at this URL, over streamable HTTP')
    .option('--sse <url>', 'ask the server at this URL, over HTTP+SSE')
    .option(
      '--stdio <command>',
      'start this command, and ask it over its standard input and output',
    )
    .option('--header <name=value>', 'sent with every HTTP request; repeatable', collected)
    .option(
      '--server-name <name>',
      'what the server calls itself (a server that is asked says so itself)',
    )
    .option('--strict', 'end with 1 also where there are only warnings')
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
