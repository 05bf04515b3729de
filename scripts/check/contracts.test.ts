import { expect, it } from 'vitest'
import { readCatalogues, listEntries } from '../generate/catalogue.ts'
import { readContract, type AnyJson } from '../generate/openapi.ts'
import { checkDocuments } from './contracts.ts'

const rows = new Set(
  readCatalogues()
    .flatMap(listEntries)
    .map((row) => row.id),
)
const name = 'images-account'
const problems = (change: (document: AnyJson) => void) => {
  const document = readContract(name)
  change(document)
  return checkDocuments([{ name, document }], rows).join('\n')
}
const upload = (document: AnyJson) =>
  document.paths['/accounts/{account_id}/images/v1'].post as AnyJson

it('finds nothing wrong with the documents as they are', () => {
  const documents = [name, 'images-batch', 'images-upload', 'hooks', 'auth'].map((each) => ({
    name: each,
    document: readContract(each),
  }))
  expect(checkDocuments(documents, rows)).toEqual([])
})

it.each<[string, (document: AnyJson) => void, RegExp]>([
  [
    'an operationId given twice',
    (document) => {
      upload(document).operationId = 'getImage'
    },
    /getImage: is an operationId of images-account too/,
  ],
  [
    'a path parameter that is not declared',
    (document) => {
      delete document.paths['/accounts/{account_id}/images/v1'].parameters
    },
    /does not declare \{account_id\}/,
  ],
  [
    'a status that is not declared',
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
    'an example that breaks its schema',
    (document) => {
      document.components.examples.Uploaded.value.result.id = 7
    },
    /example uploaded: \/result\/id must be string/,
  ],
  [
    'a row that is none',
    (document) => {
      document.components.schemas.Image.properties.id['x-requirement'] = 'IMG-IMAGE-99'
    },
    /names IMG-IMAGE-99/,
  ],
  [
    'an operation without a row',
    (document) => {
      delete upload(document)['x-requirement']
    },
    /names no row/,
  ],
  [
    'a place without a row',
    (document) => {
      delete document.components.schemas.UploadTicket.properties.id['x-requirement']
      for (const place of ['Success']) {
        const { properties } = document.components.schemas[place]
        delete document.components.schemas[place]['x-requirement']
        delete properties.result['x-requirement']
      }
    },
    /No x-requirement at or above/,
  ],
  [
    'a response that is closed',
    (document) => {
      document.components.schemas.Image.additionalProperties = false
    },
    /forbids further members/,
  ],
])('names %s', (_, change, expected) => {
  expect(problems(change)).toMatch(expected)
})
