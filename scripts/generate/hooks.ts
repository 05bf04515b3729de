import { jsonWithNotice } from './output.ts'
import { indexModule, typesModule } from './modules.ts'
import { readContract, type AnyJson } from './openapi.ts'
import { documentExamples } from './schema-examples.ts'
import { schemaFile, validatorsModule } from './validators.ts'

const from = 'specs/openapi/'

/** Returns the files generated from the OpenAPI document of the hook API. */
export async function generateHooks(): Promise<[file: string, text: string][]> {
  const document = readContract('hooks')
  const schemas = document.components.schemas as AnyJson
  const names = Object.keys(schemas)
  return [
    ['openapi/hooks.json', jsonWithNotice('x-generated', `${from}hooks.yaml`, document)],
    ['hooks/types.ts', await typesModule('Hooks', from, [document])],
    ['hooks/index.ts', indexModule(from, schemas, documentExamples(document))],
    ['hooks/validators.ts', validatorsModule('hooks', from, schemas)],
    ...names.map((name): [string, string] => [
      `hooks/schemas/${name}.json`,
      schemaFile('hooks', `${from}components/`, name, schemas),
    ]),
  ]
}
