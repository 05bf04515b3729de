import { Option, type Command } from 'commander'
import { contractNames } from '../contracts.ts'
import { languages } from './types/languages.ts'

const examples = `
Examples:
  touchstone types --out src/contracts
      writes the files of all contracts, such as images.ts and
      schemas/images/*.json
  touchstone types --out src/contracts --contract greeting
      writes greeting.ts, schemas/greeting/greeting.proto and
      schemas/greeting/descriptor.binpb
  touchstone types --out contracts --lang python --contract events
      writes events.py, with a class for each type
  touchstone types --out src/main/java/com/example/contracts --lang java \\
    --package com.example.contracts --contract images --contract hooks
      writes the classes of two contracts, in a package each
  touchstone types --out contracts --lang json-schema
      writes only the JSON Schemas
  touchstone types --out src/contracts --strictness stated
      writes only the types that the documents state; others are unknown
  touchstone types --out src/contracts --check
      in CI: exits with 1 if a file is missing or out of date
  touchstone types --out src/contracts --force
      also overwrites files that this command did not write
  touchstone types --out src/tools --tools-from http://127.0.0.1:8000/mcp
      writes types for the tools of a server, and functions that check values
      against these types
  touchstone types --out src/tools --tools-from "stdio:node server.js"
  touchstone types --out src/tools --tools-from tools.json --name shelf

Validators of the contracts are not written: import them from the package, as in
  import { validateImage } from 'touchstone/images'

Exit status:
  0    written, or with --check: up to date
  1    with --check: a file is missing or out of date
  3    a usage error, or a file that cannot be written
`

/** Declares `touchstone types`. */
export function describe(command: Command): void {
  const contracts = contractNames()
  command
    .description(
      'Writes the types of the contracts into a folder: TypeScript with JSON Schemas, or the language in --lang. For the greeting service, a .proto file and its descriptor replace the JSON Schemas, and the types in other languages than TypeScript. ' +
        'Updates the files that an earlier run wrote, and deletes those that are no longer generated. Changes other files only with --force.',
    )
    .option('--out <folder>', 'folder to write to')
    .option(
      '--contract <name>',
      `only this contract: ${contracts.slice(0, -1).join(', ')} or ${contracts.at(-1)!}; repeatable (default: all)`,
      collected,
    )
    .option(
      '--strictness <strictness>',
      'documented: also the types that a document implies by a name, a table or an example, marked in their comments; stated: only the types that it states (default: documented)',
    )
    .option(
      '--tools-from <source>',
      'write types for the tools of your own MCP server, not for the contracts. The source is its URL, sse:URL, "stdio:COMMAND", or a saved tools/list result (a file, or - for standard input)',
    )
    .option(
      '--header <name=value>',
      'with --tools-from: header to send with every HTTP request; repeatable',
      collected,
    )
    .option(
      '--name <name>',
      'with --tools-from: name of the written file (default: the name that the server reports, or that of the saved file)',
    )
    .option(
      '--lang <language>',
      `language of the types: ${languages.join(', ')}. All but the first and the last need the package quicktype-core (default: typescript)`,
    )
    .option(
      '--package <name>',
      'with --lang java, kotlin or csharp: package or namespace of the folder in --out. Each contract has its own below it (default: contracts, in C# Contracts)',
    )
    .option('--check', 'write nothing; exit with 1 if a file is missing or out of date')
    .option('--force', 'overwrite files that this command did not write')
    .option('--json', 'print one line of JSON')
    // The options of lint-tools with the same meaning. They are refused with the form to use.
    .addOption(new Option('--http <url>').hideHelp())
    .addOption(new Option('--sse <url>').hideHelp())
    .addOption(new Option('--stdio <command>').hideHelp())
    .addHelpText('after', examples)
    .action(async (options: object) => {
      const { run } = await import('./types/run.ts')
      await run(options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
