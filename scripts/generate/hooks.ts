import { jsonWithNotice } from './output.ts'
import { indexModule, typesModule } from './modules.ts'
import { readContract, type AnyJson } from './openapi.ts'
import { documentExamples } from './schema-examples.ts'
import { folderOf, type Strictness } from './strictness.ts'
import { schemaFile, validatorsModule } from './validators.ts'

const from = 'specs/openapi/'

/** Returns the files generated from the OpenAPI document of the hook API. */
export async function generateHooks(): Promise<[file: string, text: string][]> {
  return [
    [
      'openapi/hooks.json',
      jsonWithNotice('x-generated', `${from}hooks.yaml`, readContract('hooks')),
    ],
    ...(await modulesAt('stated')),
    ...(await modulesAt('documented')),
  ]
}

async function modulesAt(strictness: Strictness): Promise<[file: string, text: string][]> {
  const document = readContract('hooks', strictness)
  const folder = folderOf('hooks', strictness)
  const schemas = document.components.schemas as AnyJson
  return [
    [`${folder}/types.ts`, await typesModule('Hooks', from, [document])],
    [`${folder}/index.ts`, indexModule(from, schemas, documentExamples(document), { strictness })],
    [`${folder}/validators.ts`, validatorsModule(folder, from, schemas)],
    ...Object.keys(schemas).map((name): [string, string] => [
      `${folder}/schemas/${name}.json`,
      schemaFile(folder, `${from}components/`, name, schemas),
    ]),
  ]
}
