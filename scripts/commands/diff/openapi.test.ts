import { expect, it } from 'vitest'
import type { AnyJson as DocumentJson } from '../../generate/openapi.ts'
import { changesBetween } from './pairs.testing.ts'

/** A document with an operation that has each part that can change. */
function api(change: (document: DocumentJson) => void = () => {}): DocumentJson {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Books', version: '1.0.0' },
    security: [{ token: [] }],
    paths: {
      '/books/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        put: {
          operationId: 'putBook',
          parameters: [
            { name: 'lang', in: 'query', schema: { type: 'string', enum: ['en', 'de'] } },
          ],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
          },
          responses: {
            '200': {
              description: 'The book.',
              headers: { ETag: { required: true, schema: { type: 'string' } } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
            },
            '404': { $ref: '#/components/responses/Missing' },
          },
        },
      },
    },
    components: {
      schemas: {
        Book: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string' }, kind: { enum: ['paper', 'audio'] } },
        },
      },
      responses: { Missing: { description: 'No such book.' } },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
  change(document)
  return document
}
const put = (document: DocumentJson): DocumentJson => document.paths['/books/{id}'].put
const book = (document: DocumentJson): DocumentJson => document.components.schemas.Book

it.each<[string, (document: DocumentJson) => void, string[]]>([
  ['nothing', () => {}, []],
  ['the version', (d) => (d.info.version = '2.0.0'), []],
  ['the title', (d) => (d.info.title = 'B'), ['documentation info-changed info']],
  ['the base URL', (d) => (d.servers = [{ url: '/v2' }]), ['compatible servers-changed servers']],
  [
    'the name of a path parameter',
    (d) => {
      const item = d.paths['/books/{id}']
      item.parameters[0].name = 'book'
      d.paths = { '/books/{book}': item }
    },
    ['breaking parameter-renamed PUT /books/{}, parameter 1 of the path'],
  ],
  [
    'the path',
    (d) => (d.paths = { '/book/{id}': d.paths['/books/{id}'] }),
    ['breaking operation-removed PUT /books/{}', 'compatible operation-added PUT /book/{}'],
  ],
  [
    'a removed operation',
    (d) => delete d.paths['/books/{id}'].put,
    ['breaking operation-removed PUT /books/{}'],
  ],
  [
    'a new operation',
    (d) => (d.paths['/books/{id}'].get = { responses: {} }),
    ['compatible operation-added GET /books/{}'],
  ],
  [
    'the operationId',
    (d) => (put(d).operationId = 'update'),
    ['breaking operation-id-changed PUT /books/{}'],
  ],
  ['a summary', (d) => (put(d).summary = 'Put'), ['documentation text-changed PUT /books/{}']],
  [
    'a removed parameter',
    (d) => (put(d).parameters = []),
    ['breaking parameter-removed PUT /books/{}, parameter query lang'],
  ],
  [
    'a new parameter',
    (d) => put(d).parameters.push({ name: 'page', in: 'query', schema: {} }),
    ['compatible parameter-added PUT /books/{}, parameter query page'],
  ],
  [
    'a new required parameter',
    (d) => put(d).parameters.push({ name: 'page', in: 'query', required: true, schema: {} }),
    ['breaking parameter-added PUT /books/{}, parameter query page'],
  ],
  [
    'a parameter that became required',
    (d) => (put(d).parameters[0].required = true),
    ['breaking became-required PUT /books/{}, parameter query lang'],
  ],
  [
    'a parameter with another value',
    (d) => (put(d).parameters[0].schema.enum = ['en', 'fr']),
    [
      'breaking value-removed PUT /books/{}, parameter query lang:',
      'compatible value-added PUT /books/{}, parameter query lang:',
    ],
  ],
  [
    'the style of a parameter',
    (d) => (put(d).parameters[0].style = 'pipeDelimited'),
    ['breaking serialization-changed PUT /books/{}, parameter query lang'],
  ],
  [
    'a required body',
    (d) => (put(d).requestBody.required = true),
    ['breaking became-required PUT /books/{}, request'],
  ],
  [
    'a removed body',
    (d) => delete put(d).requestBody,
    ['breaking body-removed PUT /books/{}, request'],
  ],
  [
    'another content type of the request',
    (d) => (put(d).requestBody.content = { 'text/plain': {} }),
    [
      'breaking content-removed PUT /books/{}, request application/json',
      'compatible content-added PUT /books/{}, request text/plain',
    ],
  ],
  [
    'a removed status',
    (d) => delete put(d).responses['404'],
    ['breaking response-removed PUT /books/{}, response 404'],
  ],
  [
    'a new failure',
    (d) => (put(d).responses['429'] = { description: 'Wait.' }),
    ['compatible response-added PUT /books/{}, response 429'],
  ],
  [
    'a new success',
    (d) => (put(d).responses['202'] = { description: 'Later.' }),
    ['breaking response-added PUT /books/{}, response 202'],
  ],
  [
    'a response header that became optional',
    (d) => (put(d).responses['200'].headers.ETag.required = false),
    ['breaking became-optional PUT /books/{}, response 200, header ETag'],
  ],
  [
    'a removed response header',
    (d) => delete put(d).responses['200'].headers,
    ['breaking header-removed PUT /books/{}, response 200, header ETag'],
  ],
  [
    'a description in a component',
    (d) => (d.components.responses.Missing.description = 'None.'),
    ['documentation text-changed PUT /books/{}, response 404'],
  ],
  [
    'a new value in a schema that is sent and received',
    (d) => book(d).properties.kind.enum.push('video'),
    ['breaking value-added schema Book/kind', 'compatible value-added schema Book/kind'],
  ],
  [
    'a new required property in such a schema',
    (d) => {
      book(d).properties.name = { type: 'string' }
      book(d).required.push('name')
    },
    ['breaking property-added schema Book/name', 'compatible property-added schema Book/name'],
  ],
  [
    'the name of a schema',
    (d) => {
      d.components.schemas.Volume = book(d)
      delete d.components.schemas.Book
      const schema = { $ref: '#/components/schemas/Volume' }
      put(d).requestBody.content['application/json'].schema = schema
      put(d).responses['200'].content['application/json'].schema = schema
    },
    ['breaking schema-removed schema Book', 'compatible schema-added schema Volume'],
  ],
  ['no authentication', (d) => (d.security = []), ['compatible security-changed PUT /books/{}']],
  [
    'another scheme as an alternative',
    (d) => (put(d).security = [{ token: [] }, { key: [] }]),
    ['compatible security-changed PUT /books/{}'],
  ],
  [
    'another scheme in addition',
    (d) => (put(d).security = [{ token: [], key: [] }]),
    ['breaking security-changed PUT /books/{}'],
  ],
  [
    'a required scope',
    (d) => (put(d).security = [{ token: ['write'] }]),
    ['breaking security-changed PUT /books/{}'],
  ],
  [
    'the security scheme',
    (d) => (d.components.securitySchemes.token.scheme = 'basic'),
    ['breaking security-scheme-changed security scheme token'],
  ],
])('OpenAPI: %s', (_, change, expected) => {
  expect(changesBetween(api(), api(change))).toEqual(expected)
})

it('breaks clients that send no token, if a document begins to require it', () => {
  const open = api((document) => delete document.security)
  expect(changesBetween(open, api())).toEqual(['breaking security-changed PUT /books/{}'])
})

it('compares a schema as its operations use it, although they refer to it in allOf', () => {
  const document = (values: string[]) =>
    api((d) => {
      d.components.schemas.Failure = { type: 'object', properties: { code: { enum: values } } }
      const schema = { allOf: [{ $ref: '#/components/schemas/Failure' }, { required: ['code'] }] }
      d.components.responses.Missing.content = { 'application/json': { schema } }
    })
  expect(changesBetween(document(['a', 'b']), document(['a']))).toEqual([
    'compatible value-removed PUT /books/{}, response 404 application/json:/code',
  ])
})

it('compares a schema that is not used in both directions', () => {
  const document = (values: string[]) =>
    api((d) => (d.components.schemas.Unused = { enum: values }))
  expect(changesBetween(document(['a', 'b']), document(['a']))).toEqual([
    'breaking value-removed schema Unused',
  ])
})

it('a webhook is received', () => {
  const schema = (values: string[]) => ({ type: 'string', enum: values })
  const webhook = (values: string[]) =>
    api((document) => {
      const content = { 'application/json': { schema: schema(values) } }
      document.webhooks = { added: { post: { requestBody: { content }, responses: {} } } }
    })
  expect(changesBetween(webhook(['a']), webhook(['a', 'b']))).toEqual([
    'breaking value-added webhook added, request application/json:',
  ])
})

it('OpenAPI 2 is refused', () => {
  expect(() => changesBetween({ swagger: '2.0' }, { swagger: '2.0' })).toThrow(
    /OpenAPI 2 \(Swagger\), which cannot be compared.\nNext: convert it/,
  )
})
