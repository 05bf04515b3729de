import { jsonWithNotice } from './output.ts'
import { indexModule, typesModule } from './modules.ts'
import { readContract, type AnyJson } from './openapi.ts'
import { valuesOf } from './schema-examples.ts'
import { schemaFile, validatorsModule } from './validators.ts'

const from = 'specs/openapi/'

/** The files generated from the OpenAPI document of the authorization endpoints. */
export async function generateAuth(): Promise<[file: string, text: string][]> {
  const document = readContract('auth')
  const schemas = document.components.schemas as AnyJson
  const names = Object.keys(schemas)
  return [
    ['openapi/auth.json', jsonWithNotice('x-generated', `${from}auth.yaml`, document)],
    ['auth/types.ts', await typesModule('Authorization', from, [document])],
    ['auth/index.ts', indexModule(from, schemas, valuesOf(document))],
    ['auth/validators.ts', validatorsModule('auth', from, schemas)],
    ...names.map((name): [string, string] => [
      `auth/schemas/${name}.json`,
      schemaFile('auth', `${from}components/`, name, schemas),
    ]),
  ]
}
