import type { Command } from 'commander'

/** Declares `touchstone init`. */
export function describe(command: Command): void {
  command
    .description(
      'Writes a target file that explains every key. An existing file is not overwritten.',
    )
    .argument(
      '[file or kind]',
      'file to write; or a kind of server (images, hooks, receiver, greeting or tools), to write a touchstone.yaml with only the keys for this kind',
      'touchstone.yaml',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  touchstone init hooks\n      a touchstone.yaml for a webhook API\n\n  touchstone init\n  # edit touchstone.yaml: the URL and the account of your server\n  export IMAGES_TOKEN=…\n  touchstone test\n\nExit status:\n  0    written\n  3    the file exists or could not be written, or the argument is neither a\n       kind of server nor a file name that ends in .yaml, .yml or .json',
    )
    .action(async (name: string) => {
      const { init } = await import('./init/run.ts')
      init(name)
    })
}
