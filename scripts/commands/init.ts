import type { Command } from 'commander'

/** Declares `touchstone init`. */
export function describe(command: Command): void {
  command
    .description(
      'Writes a target file with a comment for every key. It does not overwrite an existing file.',
    )
    .argument('[file]', 'file to write', 'touchstone.yaml')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone init\n  export IMAGES_TOKEN=…\n  touchstone test',
    )
    .action(async (file: string) => {
      const { init } = await import('./init/run.ts')
      init(file)
    })
}
