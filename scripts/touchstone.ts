#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { complain } from './complain.ts'
import { version } from './package.ts'

type Describe = { describe(command: Command): void }

/** The subcommands. Each is loaded only when it is the one that is asked for. */
const commands: Record<string, { summary: string; load: () => Promise<Describe> }> = {
  test: {
    summary: 'judge an implementation; without a target, the bundled servers',
    load: () => import('./commands/test.ts'),
  },
  mock: { summary: 'start mock servers', load: () => import('./commands/mock.ts') },
  greet: { summary: 'talk to a greeting service', load: () => import('./commands/greet.ts') },
  types: {
    summary: 'write types, schemas and validators for another project',
    load: () => import('./commands/types.ts'),
  },
  emit: { summary: 'send a delivery to a receiver', load: () => import('./commands/emit.ts') },
  listen: {
    summary: 'receive deliveries, and check each as it comes',
    load: () => import('./commands/listen.ts'),
  },
  validate: { summary: 'judge saved deliveries', load: () => import('./commands/validate.ts') },
  'lint-tools': {
    summary: "judge the definitions of a tool server's tools",
    load: () => import('./commands/lint-tools.ts'),
  },
  init: { summary: 'write a commented touchstone.yaml', load: () => import('./commands/init.ts') },
}

const program = new Command('touchstone')
  .description(
    'Contracts for an image hosting API: checks that judge an implementation, mock servers that stand in for one, types that describe one.',
  )
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .option('--debug', 'show where an error comes from (or TOUCHSTONE_DEBUG=1)')
  .addHelpText(
    'after',
    '\nExample:\n  touchstone test --images-url http://127.0.0.1:4010/client/v4 --images-account acc-1\n\nExit status: 0 conformant, 1 a violation, 2 with --strict a demand not covered, 3 an error of usage or of the suite.',
  )
  .showHelpAfterError('(--help shows what there is)')
  .exitOverride()

async function main(words: readonly string[]): Promise<void> {
  const asked = words.find((word) => Object.hasOwn(commands, word))
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program
      .command(name)
      .summary(summary)
      .option('--debug', 'show where an error comes from')
    if (name === asked) (await load()).describe(command)
  }
  await program.parseAsync(words, { from: 'user' })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  // commander has said it already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 3
  else process.exitCode = complain(error)
}
