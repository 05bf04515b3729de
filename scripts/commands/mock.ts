import { Help, type Argument, type Command, type Option } from 'commander'
import { formatMockExamples } from './mock/examples.ts'
import { describeMockOption, isOptionOf, mockNames, mockOptions } from './mock/help.ts'
import { shortHelp } from './mock/short-help.ts'

/** Declares `touchstone mock`. Its code is loaded when it runs. */
export function describe(command: Command): void {
  // Without a name, the help is short. If mocks are named, it has their options and examples. Any
  // other word, such as `all`, selects every mock.
  const isShort = () => command.args.every((word) => word.startsWith('-'))
  const requested = () => command.args.filter((word) => mockNames.includes(word))
  command
    .description('Starts mock servers, prints their URLs and tokens, and runs until Ctrl-C.')
    .argument(
      '[name...]',
      `which mocks: ${mockNames.join(', ')} (default: all); touchstone mock NAME --help prints only the options of that mock, touchstone mock all --help those of all`,
    )
  for (const { flags, isRepeatable } of mockOptions)
    if (isRepeatable === true) command.option(flags, '', collected)
    else command.option(flags)
  command
    .configureHelp({
      ...command.configureHelp(),
      formatHelp: (described, helper) =>
        isShort() ? shortHelp : Help.prototype.formatHelp.call(helper, described, helper),
      visibleOptions: (described) =>
        new Help().visibleOptions(described).filter(({ flags }) => isOptionOf(flags, requested())),
      optionDescription: ({ flags, description }: Option) =>
        describeMockOption(flags, requested()) ?? description,
      argumentDescription: ({ description }: Argument) =>
        requested().length === 1
          ? description
          : `${description}. If the description of an option names mocks in parentheses, only these mocks have the option`,
    })
    .addHelpText('after', () => (isShort() ? '' : formatMockExamples(requested())))
    .action(async (names: string[], options: object) => {
      const { run } = await import('./mock/run.ts')
      await run(names, options)
    })
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
