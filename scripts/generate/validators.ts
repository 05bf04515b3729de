import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import type { AnyJson } from './openapi.ts'
import { jsonWithNotice, notice } from './output.ts'
import { documentedKeyword } from './strictness.ts'
import { splitUnionTypes } from './union-types.ts'

/** Keywords of this project and of OpenAPI that do not affect validation. */
export const annotations = [
  'x-requirement',
  'x-requirement-presence',
  'x-requirement-value',
  'x-requirement-nested',
  'x-expected',
  'x-rule',
  'x-fix',
  documentedKeyword,
  'example',
]

export function newAjv(options: AnyJson = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    ...options,
  })
  ajv.addVocabulary(annotations)
  // Formats are annotations in JSON Schema 2020-12, so they are not validated.
  for (const format of ['binary', 'uri']) ajv.addFormat(format, true)
  return ajv
}

const idOf = (contract: string, name: string) =>
  `https://touchstone.example/${contract}/${name}.json`

/**
 * Copies a schema without the `omitted` keywords. `ref` returns the reference to a named schema.
 */
function copySchema(schema: any, ref: (name: string) => string, omitted = annotations): any {
  if (Array.isArray(schema)) return schema.map((member) => copySchema(member, ref, omitted))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !omitted.includes(key))
      .map(([key, member]) => {
        if (key === '$ref') return [key, ref((member as string).split('/').at(-1)!)]
        if (key === 'properties')
          return [
            key,
            Object.fromEntries(
              Object.entries(member as AnyJson).map(([name, property]) => [
                name,
                copySchema(property, ref, omitted),
              ]),
            ),
          ]
        return [key, copySchema(member, ref, omitted)]
      }),
  )
}

/** Returns generated/<contract>/validators.ts: one precompiled function for each named schema. */
export function validatorsModule(
  contract: string,
  from: string,
  schemas: { [name: string]: AnyJson },
): string {
  const ajv = newAjv({
    inlineRefs: false,
    code: { source: true, esm: true, lines: true, optimize: 2 },
    validateSchema: false,
  })
  // Omits support for `unevaluatedProperties` and `unevaluatedItems`, which no schema uses. That
  // halves the length of the code.
  ajv.opts.unevaluated = false
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.addSchema({
      $id: idOf(contract, name),
      ...copySchema(schema, (other) => idOf(contract, other), [
        ...annotations,
        'title',
        'description',
        'examples',
      ]),
    })
  }
  const names = Object.fromEntries(
    Object.keys(schemas).map((name) => ['validate' + name, idOf(contract, name)]),
  )
  const code = standalone.default(ajv, names).replace(/^"use strict";\n?/, '')
  const modules: string[] = []
  const body = code.replace(
    /const (\w+) = require\("([^"]+)"\)\.default;/g,
    (_, variable: string, module: string) => {
      modules.push(`import ${variable}_ from '${module}.js'`)
      return `const ${variable} = ${variable}_.default ?? ${variable}_;`
    },
  )
  if (body.includes('require('))
    throw new Error('The generated validators still contain require() calls')
  return `// @ts-nocheck ${notice(from)}\n${modules.map((line) => line + '\n').join('')}${body.trimEnd()}\n`
}

/**
 * Returns generated/<contract>/schemas/<name>.json: a schema, and all schemas that it refers to.
 */
export function schemaFile(
  contract: string,
  from: string,
  name: string,
  schemas: { [name: string]: AnyJson },
): string {
  const used = new Set<string>()
  const collectReference = (other: string): string => {
    if (other === name) return '#'
    if (!used.has(other)) {
      used.add(other)
      copySchema(schemas[other], collectReference)
    }
    return `#/$defs/${other}`
  }
  const schema: AnySchemaObject = copySchema(schemas[name], collectReference)
  const $defs = Object.fromEntries(
    [...used].sort().map((other) => [other, copySchema(schemas[other], collectReference)]),
  )
  return jsonWithNotice('$comment', from, {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: idOf(contract, name),
    ...splitUnionTypes(schema),
    ...(used.size > 0 ? { $defs: splitUnionTypes($defs, true) } : {}),
  })
}
