import type { Command } from 'commander'

/** Declares `touchstone init`. */
export function describe(command: Command): void {
  command
    .description(
      'Writes a target file with every key in it, explained. A file that is there already is left alone.',
    )
    .argument('[file]', 'where to write it', 'touchstone.yaml')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone init\n  export IMAGES_TOKEN=…\n  touchstone test',
    )
    .action(async (file: string) => {
      const { init } = await import('./init/run.ts')
      init(file)
    })
}
