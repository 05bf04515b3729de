import { docComment } from './doc-comments.ts'
import { jsonWithNotice, quote } from './output.ts'
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
    [
      `${folder}/index.ts`,
      indexModule(from, schemas, documentExamples(document), {
        strictness,
        more: requestHeaders(document),
      }),
    ],
    [`${folder}/validators.ts`, validatorsModule(folder, from, schemas)],
    ...Object.keys(schemas).map((name): [string, string] => [
      `${folder}/schemas/${name}.json`,
      schemaFile(folder, `${from}components/`, name, schemas),
    ]),
  ]
}

/**
 * Returns the type of the headers of requests, and the name of the header with the access token,
 * which openapi-typescript omits.
 */
function requestHeaders(document: AnyJson): string {
  const { type, in: place, name } = document.components.securitySchemes.accessToken as AnyJson
  if (type !== 'apiKey' || place !== 'header')
    throw new Error('The access token of the hook API is not in a header')
  const header = quote(name as string)
  return `
${docComment(
  'The headers of every request to the hook API. HTTP header names are case-insensitive.',
  [
    `const headers: HookRequestHeaders = { ${header}: 'an-access-token' }`,
    "const request = new Request('https://forge.example/api/v4', { headers: { ...headers } })",
  ],
)}
export interface HookRequestHeaders {
  /** The access token. A service refuses requests without it. */
  ${header}: string
}

${docComment('The name of the request header with the access token.', [
  "const isAllowed = (headers: Headers) => headers.get(accessTokenHeader) === 'an-access-token'",
])}
export const accessTokenHeader = ${header} satisfies keyof HookRequestHeaders
`
}
