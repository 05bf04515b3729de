import { Help, type Argument, type Command, type Option } from 'commander'
import { formatMockExamples } from './mock/examples.ts'
import { describeMockOption, isOptionOf, mockNames, mockOptions } from './mock/help.ts'

/** Declares `touchstone mock`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  // If mocks are named, the help has only their options and examples.
  const requested = () => command.args.filter((word) => mockNames.includes(word))
  command
    .description('Starts mock servers, prints their URLs and tokens, and runs until Ctrl-C.')
    .argument(
      '[name...]',
      `which mocks: ${mockNames.join(', ')} (default: all); touchstone mock NAME --help prints only the options of that mock`,
    )
  for (const { flags, isRepeatable } of mockOptions)
    if (isRepeatable === true) command.option(flags, '', collected)
    else command.option(flags)
  command
    .configureHelp({
      visibleOptions: (described) =>
        new Help().visibleOptions(described).filter(({ flags }) => isOptionOf(flags, requested())),
      optionDescription: ({ flags, description }: Option) =>
        describeMockOption(flags, requested()) ?? description,
      argumentDescription: ({ description }: Argument) =>
        requested().length === 1
          ? description
          : `${description}. If the description of an option names mocks in parentheses, only these mocks have the option`,
    })
    .addHelpText('after', () => formatMockExamples(requested()))
    .action(async (names: string[], options: object) => {
      const { run } = await import('./mock/run.ts')
      await run(names, options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
