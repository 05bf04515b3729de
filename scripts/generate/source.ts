import { parse } from 'yaml'
import { packageRoot } from '../package.ts'

/** The root folder of the project, also if this file is compiled. */
export const root = packageRoot()

/** Parses YAML without the slow check for duplicate keys, which `scripts/check/yaml.ts` does. */
export const readYaml = (text: string): unknown =>
  parse(text, { uniqueKeys: false, prettyErrors: false })
