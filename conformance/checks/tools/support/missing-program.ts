import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'

/** Looks for the program in the target file in the same way as `spawn`, without starting it. */
export async function findMissingProgram({
  command,
  cwd = '.',
}: {
  readonly command: string
  readonly cwd?: string | undefined
}): Promise<string | undefined> {
  if ((await kindOf(cwd)) !== 'folder') return `${cwd}: no such folder. Check tools.stdio.cwd.`
  if (!(await isAccessible(cwd, constants.X_OK)))
    return `${cwd}: permission denied. Check tools.stdio.cwd.`
  // On Windows, a program is also found without its extension.
  if (process.platform === 'win32') return undefined
  const candidates = command.includes('/')
    ? [resolve(cwd, command)]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command))
  for (const candidate of candidates)
    if ((await kindOf(candidate)) === 'file' && (await isAccessible(candidate, constants.X_OK)))
      return undefined
  return `${command}: no such program. Check tools.stdio.command.${hintAtArguments(command)}`
}

/** A command with arguments belongs in two keys. */
function hintAtArguments(command: string): string {
  const [program, ...args] = command.trim().split(/\s+/)
  return args.length === 0
    ? ''
    : ` Arguments belong in tools.stdio.args: --tools-stdio-command ${program} --tools-stdio-args '${JSON.stringify(args)}'`
}

const kindOf = (path: string): Promise<'file' | 'folder' | undefined> =>
  stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  )

const isAccessible = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )
