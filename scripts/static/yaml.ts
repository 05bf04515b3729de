import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseDocument } from 'yaml'
import { root } from '../generate/source.ts'

/**
 * Returns the YAML errors of a folder. These are mainly duplicate keys, which the generators do not
 * check because that is slow.
 */
export function checkYaml(folder = join(root, 'specs')): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name)
      return parseDocument(readFileSync(file, 'utf8')).errors.map(
        ({ message }) => `${relative(root, file)}: ${message.split('\n')[0]}`,
      )
    })
}
