// Users compile the published schemas in the strict mode of ajv.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AnyJson } from '../openapi.ts'
import { root } from '../source.ts'
import { annotations } from '../validators.ts'

/** Members of OpenAPI and AsyncAPI documents, in which the schemas are. */
const documentMembers = [
  ...['openapi', 'asyncapi', 'info', 'servers', 'security', 'tags', 'paths', 'components'],
  ...['channels', 'operations', 'defaultContentType', 'x-generated'],
]

function strictAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true })
  ajv.addVocabulary([...annotations, 'x-requirements', ...documentMembers])
  for (const format of ['binary', 'uri']) ajv.addFormat(format, true)
  return ajv
}

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as AnyJson
const jsonFiles = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => `${folder}/${file}`)

const contractFolders = ['images', 'hooks', 'events', 'tools', 'auth']
const generated = contractFolders.flatMap((name) => jsonFiles(`generated/${name}/schemas`))

it.each([...generated, ...jsonFiles('specs/json-schema'), 'specs/requirements/schema.json'])(
  '%s compiles',
  (file) => {
    const validate = strictAjv().compile(read(file))
    expect(validate(Symbol.iterator)).toBe(false)
  },
)

const toolSchemas = jsonFiles('specs/json-schema/tools').map(read)

it.each(toolSchemas.map(({ $id }) => $id as string))('%s compiles', (id) => {
  const ajv = strictAjv()
  for (const schema of toolSchemas) ajv.addSchema(schema)
  expect(ajv.getSchema(id)).toBeTypeOf('function')
})

const bundled = jsonFiles('specs/bundled').flatMap((file) => {
  const document = read(file)
  const section = document.components === undefined ? '$defs' : 'components/schemas'
  const schemas = (document.components?.schemas ?? document.$defs) as AnyJson
  return Object.keys(schemas).map((name) => ({ file, document, pointer: `${section}/${name}` }))
})

it.each(bundled)('$file#/$pointer compiles', ({ document, pointer }) => {
  const ajv = strictAjv()
  const id = 'https://touchstone.example/document.json'
  ajv.addSchema({ ...document, $id: id })
  expect(ajv.compile({ $ref: `${id}#/${pointer}` })).toBeTypeOf('function')
})
