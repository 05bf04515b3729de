import { existsSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { UsageError } from '../../print-error.ts'
import { packageRoot } from '../../package.ts'
import { template } from './template.ts'

/**
 * Writes a target file in which comments explain the keys. Throws `UsageError` if the file exists
 * or cannot be written.
 */
export function init(
  file: string,
  say: (text: string) => void = (text) => process.stdout.write(text),
): void {
  const path = resolve(file)
  try {
    writeFileSync(path, template(schemaFrom(dirname(path))), { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new UsageError(
        `${file} already exists and was not changed.\nNext: choose another file with touchstone init FILE, or move this one.`,
      )
    throw new UsageError(
      `${file} cannot be written: ${code === 'ENOENT' ? `there is no folder ${dirname(path)}` : message}`,
    )
  }
  say(
    `${file} was written.\nNext: fill in your URLs, export IMAGES_TOKEN=…, then: touchstone test${file === 'touchstone.yaml' ? '' : ` --target ${file}`}\n`,
  )
}

/**
 * Returns the path of the schema, which editors use, relative to the folder. Returns undefined if
 * the package is not below the folder.
 */
function schemaFrom(folder: string): string | undefined {
  const linked = join(folder, 'node_modules', 'touchstone')
  const path = relative(
    folder,
    join(existsSync(linked) ? linked : packageRoot(), 'specs', 'json-schema', 'target.json'),
  )
  return path.startsWith('..') || isAbsolute(path) ? undefined : `./${path.replaceAll('\\', '/')}`
}
