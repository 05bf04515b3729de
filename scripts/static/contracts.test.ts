import { expect, it } from 'vitest'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { readContract, type AnyJson } from '../generate/openapi.ts'
import { checkDocuments } from './contracts.ts'

const requirementIds = new Set(
  readCatalogues()
    .flatMap(listEntries)
    .map(({ id }) => id),
)
const name = 'images-account'
const problems = (change: (document: AnyJson) => void) => {
  const document = readContract(name)
  change(document)
  return checkDocuments([{ name, document }], requirementIds).join('\n')
}
const upload = (document: AnyJson) =>
  document.paths['/accounts/{account_id}/images/v1'].post as AnyJson

it('finds no problems in the contracts', () => {
  const documents = [name, 'images-batch', 'images-upload', 'hooks', 'auth'].map((each) => ({
    name: each,
    document: readContract(each),
  }))
  expect(checkDocuments(documents, requirementIds)).toEqual([])
})

it.each<[string, (document: AnyJson) => void, RegExp]>([
  [
    'a duplicate operationId',
    (document) => {
      upload(document).operationId = 'getImage'
    },
    /getImage: the operationId also occurs in images-account/,
  ],
  [
    'an undeclared path parameter',
    (document) => {
      delete document.paths['/accounts/{account_id}/images/v1'].parameters
    },
    /does not declare \{account_id\}/,
  ],
  [
    'an undeclared status',
    (document) => {
      delete upload(document).responses['413']
    },
    /uploadImage: does not declare 413/,
  ],
  [
    'a body without an example',
    (document) => {
      delete document.components.responses.TooLarge.content['application/json'].examples
    },
    /413 application\/json: has no example/,
  ],
  [
    'an example that does not match its schema',
    (document) => {
      document.components.examples.Uploaded.value.result.id = 7
    },
    /example uploaded: \/result\/id must be string/,
  ],
  [
    'an unknown requirement id',
    (document) => {
      document.components.schemas.Image.properties.id['x-requirement'] = 'IMG-IMAGE-99'
    },
    /IMG-IMAGE-99, which is not in the catalogue/,
  ],
  [
    'an operation without a requirement',
    (document) => {
      delete upload(document)['x-requirement']
    },
    /has no x-requirement/,
  ],
  [
    'a property without a requirement',
    (document) => {
      delete document.components.schemas.UploadTicket.properties.id['x-requirement']
      const { Success } = document.components.schemas
      delete Success['x-requirement']
      delete Success.properties.result['x-requirement']
    },
    /No x-requirement at or above/,
  ],
  [
    'a response schema that forbids additional properties',
    (document) => {
      document.components.schemas.Image.additionalProperties = false
    },
    /forbids additional properties/,
  ],
])('reports %s', (_, change, expected) => {
  expect(problems(change)).toMatch(expected)
})
