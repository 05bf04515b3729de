import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { outsideSchemas } from './bundled/outside-schemas.ts'
import { statusRanges } from './bundled/status-ranges.ts'
import { readContract, type AnyJson } from './openapi.ts'
import { jsonWithNotice } from './output.ts'
import { root } from './source.ts'
import { atStrictness } from './strictness.ts'
import { readToolSchemas } from './tools.ts'

/** The OpenAPI documents. Each becomes one file. */
const openapi = ['images-account', 'images-batch', 'images-upload', 'hooks', 'auth']
const protoFile = 'specs/proto/examples/greeting.proto'
const toolsFolder = 'specs/json-schema/tools/'

/**
 * The changes between a contract as this project uses it and a bundled contract, in their order.
 * Each accepts and returns a document with a section of schemas.
 */
const transformations: ((document: AnyJson) => AnyJson)[] = [outsideSchemas, statusRanges]

const transformed = (document: AnyJson): AnyJson =>
  transformations.reduce((changed, transformation) => transformation(changed), document)

/**
 * Returns the files of specs/bundled: each contract as one file without references to other files,
 * for the tools of other projects.
 */
export function bundledFiles(): Map<string, string> {
  const documents = [
    ...openapi.map((name) => ({ name, from: `specs/openapi/${name}.yaml` })),
    { name: 'events', from: 'specs/asyncapi/events.yaml' },
  ]
  return new Map([
    ...documents.map(({ name, from }): [string, string] => [
      `${name}.json`,
      jsonWithNotice('x-generated', from, transformed(readContract(name))),
    ]),
    ['tools.json', jsonWithNotice('$comment', toolsFolder, toolsDocument())],
    ['greeting.proto', readFileSync(join(root, protoFile), 'utf8')],
  ])
}

/** Returns the JSON Schemas of the tool servers as the definitions of one schema. */
function toolsDocument(): AnyJson {
  const schemas = Object.entries(readToolSchemas()).map(([name, schema]) => {
    const { $schema: _, $id: __, ...own } = schema
    return [name, toDefinitionReferences(atStrictness(own, 'stated'))]
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://touchstone.example/tools.json',
    title: 'Tools',
    description:
      'The definitions, arguments and results of the tools of a tool server. Each schema is a member of $defs.',
    ...transformed({ $defs: Object.fromEntries(schemas) as AnyJson }),
  }
}

function toDefinitionReferences(node: any): any {
  if (Array.isArray(node)) return node.map(toDefinitionReferences)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? `#/$defs/${basename(member, '.json')}`
        : toDefinitionReferences(member),
    ]),
  )
}
