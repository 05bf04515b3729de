#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { annotateFailure } from './annotate.ts'
import { refuseEmptyValues } from './commands/empty-values.ts'
import { formatItem, optionDescription } from './commands/help-layout.ts'
import { printError, UsageError } from './print-error.ts'
import { version } from './package.ts'
import { ignoreClosedOutput } from './stop-signals.ts'

type Describe = { describe(command: Command): void }

/** The subcommands. Only the code of the called one is loaded. */
const commands: Record<string, { summary: string; load: () => Promise<Describe> }> = {
  test: {
    summary:
      'test the servers that touchstone.yaml or options name; if they name none, the bundled mocks',
    load: () => import('./commands/test.ts'),
  },
  clean: {
    summary: 'remove what earlier runs of touchstone test left on a server',
    load: () => import('./commands/clean.ts'),
  },
  compare: {
    summary: 'compare two runs of one server, or several servers',
    load: () => import('./commands/compare.ts'),
  },
  mock: { summary: 'start mock servers', load: () => import('./commands/mock.ts') },
  greet: { summary: 'call a greeting service', load: () => import('./commands/greet.ts') },
  types: {
    summary: 'write TypeScript types and JSON Schemas',
    load: () => import('./commands/types.ts'),
  },
  docs: {
    summary: 'write web pages with all requirements, operations and examples',
    load: () => import('./commands/docs.ts'),
  },
  diff: {
    summary: 'list the changes between two versions of a contract',
    load: () => import('./commands/diff.ts'),
  },
  emit: { summary: 'send deliveries to a receiver', load: () => import('./commands/emit.ts') },
  listen: {
    summary: 'receive deliveries and check each of them',
    load: () => import('./commands/listen.ts'),
  },
  validate: { summary: 'check saved deliveries', load: () => import('./commands/validate.ts') },
  'lint-tools': {
    summary: 'check the tool definitions of an MCP server',
    load: () => import('./commands/lint-tools.ts'),
  },
  init: {
    summary: 'write a touchstone.yaml that explains every key',
    load: () => import('./commands/init.ts'),
  },
}

const program = new Command('touchstone')
  .description(
    'Tests servers against six contracts, mocks servers, and generates types. The contracts are the specifications of image hosting APIs, webhook APIs, deliveries (the requests that webhook APIs send to receivers), greeting services over gRPC, MCP tool servers, and the authentication of tool servers.',
  )
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .configureHelp({ formatItem, optionDescription })
  .helpCommand('help [command]', 'print the help of a command')
  .option(
    '--debug',
    'print the stack trace of an error; the environment variable TOUCHSTONE_DEBUG=1 does the same',
  )
  .addHelpText(
    'after',
    '\nExample:\n  IMAGES_TOKEN=… touchstone test http://127.0.0.1:8080/client/v4 --account acc-1\n\ntouchstone COMMAND --help prints the options, examples and exit statuses of a\ncommand. For those of test, use touchstone test --help all.',
  )
  .showHelpAfterError('(--help lists commands and options)')
  .exitOverride()

async function main(words: readonly string[]): Promise<void> {
  if (words[0] === 'help') await requireCommand(words[1])
  const called = words.find((word) => Object.hasOwn(commands, word))
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program
      .command(name)
      .summary(summary)
      .option('--debug', 'print the stack trace of an error')
    if (name === called) (await load()).describe(command)
  }
  await program.parseAsync(words, { from: 'user' })
}

/** Throws a `UsageError` if the word after `help` is not a command. */
async function requireCommand(word: string | undefined): Promise<void> {
  const names = [...Object.keys(commands), 'help']
  if (word === undefined || word.startsWith('-') || names.includes(word)) return
  const { nearest } = await import('../conformance/target-file/nearest.ts')
  const near = nearest(word, names)
  throw new UsageError(
    `there is no command ${word}.${near === undefined ? '' : ` Did you mean ${near}?`} Known: ${names.join(', ')}`,
  )
}

refuseEmptyValues(program)
ignoreClosedOutput()

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof CommanderError) {
    // commander has printed the message already.
    process.exitCode = error.exitCode === 0 ? 0 : 3
    if (error.exitCode !== 0) annotateFailure(error.message.replace(/^error: /, ''))
  } else process.exitCode = printError(error)
}
