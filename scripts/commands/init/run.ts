import { existsSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { UsageError } from '../../complain.ts'
import { packageRoot } from '../../package.ts'
import { template } from './template.ts'

/** Writes the commented target file, unless there is something in its place. */
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
        `${file} is there already and stays as it is.\nNext: name another file, touchstone init FILE, or move this one away.`,
      )
    throw new UsageError(
      `${file} cannot be written: ${code === 'ENOENT' ? `there is no folder ${dirname(path)}` : message}`,
    )
  }
  say(
    `${file} is written.\nNext: put in your addresses, export IMAGES_TOKEN=…, then: touchstone test${file === 'touchstone.yaml' ? '' : ` --target ${file}`}\n`,
  )
}

/** The way from a folder to the schema, where the package lies below it: editors then complete the file. */
function schemaFrom(folder: string): string | undefined {
  const linked = join(folder, 'node_modules', 'touchstone')
  const way = relative(
    folder,
    join(existsSync(linked) ? linked : packageRoot(), 'specs', 'json-schema', 'target.json'),
  )
  return way.startsWith('..') || isAbsolute(way) ? undefined : `./${way.replaceAll('\\', '/')}`
}
