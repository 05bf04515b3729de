import { existsSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { sectionOf } from '../../../conformance/target-file/keys.ts'
import { keys } from '../../../conformance/target.ts'
import { whyUnwritable } from '../../../conformance/target-file/user-file.ts'
import { UsageError } from '../../print-error.ts'
import { packageRoot } from '../../package.ts'
import { kindOf, template } from './template.ts'

/** The kinds of servers: the sections of a target file, except `suite`. */
const sections = [...new Set(keys.map(({ path }) => kindOf(path)))].filter(
  (section) => section !== 'suite',
)

/**
 * Writes a target file in which comments explain the keys. `name` is a file or a kind of server,
 * such as `hooks`. For a kind of server, writes `touchstone.yaml` with only the keys of that kind.
 * Throws a `UsageError` if `name` is neither, or if the file exists or cannot be written.
 */
export function init(
  name: string,
  say: (text: string) => void = (text) => process.stdout.write(text),
): void {
  const section = sections.find((known) => known === name)
  const file = section === undefined ? name : 'touchstone.yaml'
  if (!/\.(ya?ml|json)$/i.test(file))
    throw new UsageError(
      `${file} is neither a kind of server (${sections.join(', ')}) nor a file with the extension .yaml.`,
    )
  const path = resolve(file)
  try {
    const schema = schemaFrom(dirname(path))
    writeFileSync(path, template({ schema, section, isAlone: section !== undefined }), {
      flag: 'wx',
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new UsageError(
        `${file} already exists and was not changed.\nNext: choose another file with npx touchstone init FILE, or move this one.`,
      )
    throw new UsageError(
      `${file} cannot be written: ${code === 'ENOENT' && !existsSync(dirname(path)) ? `there is no folder ${dirname(path)}` : whyUnwritable(error)}`,
    )
  }
  const secrets = keys.filter(
    ({ path, required, variable }) =>
      required === true && variable !== undefined && sectionOf(path) === (section ?? 'images'),
  )
  // Keys within a group depend on other choices, which the comments of the file explain.
  const hints = keys
    .filter(
      ({ path, variable }) =>
        secrets.length === 0 && variable !== undefined && sectionOf(path) === section,
    )
    .map(
      ({ path, variable }) =>
        `If your server needs ${path}: remove the # before it, and export ${variable}=…\n`,
    )
  say(
    [
      `${file} was written.\nNext: fill in your addresses`,
      ...secrets.map(({ variable }) => `export ${variable}=…`),
      `then: npx touchstone test${file === 'touchstone.yaml' ? '' : ` --target ${file}`}\n`,
    ].join(', ') + hints.join(''),
  )
}

/**
 * Returns the path of the schema for editors, relative to the folder. Undefined if the package is
 * not below the folder.
 */
function schemaFrom(folder: string): string | undefined {
  const linked = join(folder, 'node_modules', 'touchstone')
  const path = relative(
    folder,
    join(existsSync(linked) ? linked : packageRoot(), 'specs', 'json-schema', 'target.json'),
  )
  return path.startsWith('..') || isAbsolute(path) ? undefined : `./${path.replaceAll('\\', '/')}`
}
