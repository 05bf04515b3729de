import type { Command } from 'commander'

/** Declares `touchstone init`. */
export function describe(command: Command): void {
  command
    .description(
      'Writes a target file that explains every key. An existing file is not overwritten.',
    )
    .argument('[file]', 'file to write', 'touchstone.yaml')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone init\n  export IMAGES_TOKEN=…\n  touchstone test\n\nExit status:\n  0    written\n  3    the file exists or could not be written',
    )
    .action(async (file: string) => {
      const { init } = await import('./init/run.ts')
      init(file)
    })
}
