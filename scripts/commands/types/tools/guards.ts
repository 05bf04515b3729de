import { Ajv, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { ToolSchema } from './schemas.ts'

/** A schema that cannot be compiled. The message is the reason. */
export class SchemaError extends Error {}

const options: Options = {
  // Definitions of other servers may contain unknown keywords and formats. JSON Schema treats them
  // as annotations.
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  inlineRefs: false,
  code: { source: true, esm: true, lines: true, optimize: 1 },
}

/**
 * Replacements for the modules that the compiled code would import. One returns the length of a
 * string in code points, the other whether two JSON values are equal.
 */
const helpers: Readonly<Record<string, string>> = {
  'ajv/dist/runtime/ucs2length': `function length(text) {
  let count = 0
  for (const _ of text) count += 1
  return count
}`,
  'ajv/dist/runtime/equal': `function equal(one, other) {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(one[key], other[key]))
}`,
}

/**
 * Compiles a schema to the code of a function expression, which imports nothing. The function
 * returns whether a value conforms to the schema, and sets its own property `errors`. Throws a
 * `SchemaError` if the schema is invalid or refers to other documents.
 */
export function guardCode(schema: ToolSchema): string {
  try {
    return compile(schema, true)
  } catch (error) {
    // Patterns of older servers may be invalid with the `u` flag of regular expressions.
    try {
      return compile(schema, false)
    } catch {
      throw new SchemaError((error as Error).message.split('\n')[0]!)
    }
  }
}

function compile(schema: ToolSchema, unicodeRegExp: boolean): string {
  const dialect = typeof schema === 'object' ? String(schema['$schema'] ?? '') : ''
  const settings: Options = {
    ...options,
    unicodeRegExp,
    code: { ...options.code },
  }
  const ajv = /draft-0[3-7]/.test(dialect) ? new Ajv(settings) : new Ajv2020(settings)
  // Removes `$schema` and `$id`, which are not needed: all references are to the definition itself.
  const { $schema: _, $id: __, ...own } = typeof schema === 'object' ? schema : {}
  // Support for `unevaluatedProperties` and `unevaluatedItems` doubles the length of the code, so
  // it is disabled for schemas without these keywords.
  if (!JSON.stringify(own).includes('"unevaluated')) ajv.opts.unevaluated = false
  const validate = ajv.compile(typeof schema === 'boolean' ? schema : own)
  const code = standalone.default(ajv, validate)
  const main =
    /^export const validate = (\w+);export default \1;/m.exec(code)?.[1] ??
    /export default (\w+);/.exec(code)?.[1]
  if (main === undefined) throw new SchemaError('it cannot be compiled')
  const body = code
    .replace(/^"use strict";/, '')
    .replace(/export const validate = \w+;/g, '')
    .replace(/export default \w+;/g, '')
    .replace(/require\("([^"]+)"\)\.default/g, (_whole, module: string) => {
      const helper = helpers[module]
      if (helper === undefined) throw new SchemaError(`it needs ${module}`)
      return `(${helper})`
    })
  if (body.includes('require(')) throw new SchemaError('it needs a module')
  return `(() => {\n${body.trim()}\nreturn ${main}\n})()`
}
