import { parse } from 'yaml'
import { packageRoot } from '../package.ts'

/** The root folder of the project, even if this file is compiled. */
export const root = packageRoot()

/**
 * Parses YAML without the slow check for duplicate keys, which is in `scripts/check/yaml.ts`.
 */
export const readYaml = (text: string): unknown =>
  parse(text, { uniqueKeys: false, prettyErrors: false })
