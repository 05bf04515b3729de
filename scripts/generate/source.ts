import { parse } from 'yaml'
import { packageRoot } from '../package.ts'

/** The root folder of the project, even if this file is compiled. */
export const root = packageRoot()

/**
 * Parses YAML without the slow search for duplicate keys, which is in `scripts/static/yaml.ts`.
 */
export const readYaml = (text: string): unknown =>
  parse(text, { uniqueKeys: false, prettyErrors: false })
