import { markup, type Child, type Markup } from '../../../conformance/report/html/markup.ts'
import { readJson } from './catalogue.ts'
import type { Links } from './links.ts'
import {
  isObject,
  objectAt,
  ownRequirements,
  requirementsIn,
  sample,
  stringAt,
  tableOf,
  type DocumentedDefinition,
  type SpecObject,
  type DefinitionGroup,
} from './definitions.ts'
import { nameOfRef, schemaEntry, typeOf } from './schema.ts'

/** The anchor of an operation. */
export const operationAnchor = (id: string): string => `operation-${id}`

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']

/**
 * Returns the operations, the failures and the schemas of OpenAPI documents. Components with the
 * same name are the same in all documents of a contract.
 */
export async function openApiParts(
  names: readonly string[],
  links: Links,
): Promise<DefinitionGroup[]> {
  const documents = await Promise.all(
    names.map((name) => readJson<SpecObject>(`generated/openapi/${name}.json`)),
  )
  const components = (kind: string) =>
    Object.assign(
      {},
      ...documents.map((one) => objectAt(objectAt(one, 'components'), kind)),
    ) as SpecObject
  return [
    ...documents.map((document, index) => {
      const part = operationsPart(document, names[index]!, links)
      return documents.length === 1 ? { ...part, heading: 'Operations' } : part
    }),
    {
      id: 'failures',
      heading: 'Failures',
      entries: failuresOf(documents).map(([name, response]) => {
        const document = documents.find(
          (one) => name in objectAt(objectAt(one, 'components'), 'responses'),
        )!
        return failureEntry(name, response, document, links)
      }),
    },
    {
      id: 'schemas',
      heading: 'Schemas',
      entries: Object.entries(components('schemas')).map(([name, schema]) =>
        schemaEntry(name, schema as SpecObject, links),
      ),
    },
  ].filter(({ entries }) => entries.length > 0)
}

/** Follows a reference within a document. */
function resolve(value: unknown, document: SpecObject): SpecObject {
  if (!isObject(value)) return {}
  const { $ref: ref } = value
  if (typeof ref !== 'string') return value
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((parent, key) => objectAt(parent, key), document)
  return resolve(found, document)
}

function operationsPart(document: SpecObject, name: string, links: Links): DefinitionGroup {
  const info = objectAt(document, 'info')
  const [server] = document['servers'] as SpecObject[]
  const entries = Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(item as SpecObject)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) =>
        operationEntry({
          method: method.toUpperCase(),
          path,
          parameters: [item, operation].flatMap(
            (one) => ((one as SpecObject)['parameters'] as unknown[] | undefined) ?? [],
          ),
          operation: operation as SpecObject,
          document,
          links,
        }),
      ),
  )
  return {
    id: `operations-${name}`,
    heading: stringAt(info, 'title'),
    introduction: markup`<p>${links.prose(stringAt(info, 'description'))}</p>
<p class="soft">Base URL, for example <code>${stringAt(server, 'url')}</code>. ${stringAt(server, 'description')}</p>
`,
    entries,
  }
}

interface Operation {
  method: string
  path: string
  parameters: readonly unknown[]
  operation: SpecObject
  document: SpecObject
  links: Links
}

function operationEntry({
  method,
  path,
  parameters,
  operation,
  document,
  links,
}: Operation): DocumentedDefinition {
  const id = stringAt(operation, 'operationId')
  const resolved = parameters.map((parameter) => resolve(parameter, document))
  const body = resolve(operation['requestBody'], document)
  const responses = Object.entries(objectAt(operation, 'responses')).map(
    ([status, response]) => [status, response as SpecObject, resolve(response, document)] as const,
  )
  return {
    id: operationAnchor(id),
    name: id,
    summary: stringAt(operation, 'summary'),
    request: `${method} ${path}`,
    requirements: [
      ...requirementsIn(operation),
      ...requirementsIn(resolved),
      ...requirementsIn(body),
      ...responses
        .filter(([status]) => isSuccess(status))
        .flatMap(([, , response]) => requirementsIn(response)),
    ],
    content: markup`<p>${links.prose(stringAt(operation, 'description'))}</p>
<p class="soft">Requirements: ${ownRequirements(operation, links)}</p>
${securityMarkup(operation, document, links)}${tableOf(
      `Parameters of ${id}`,
      ['parameter', 'type', 'description'],
      resolved.map((parameter) => parameterLine(parameter, links)),
    )}${requestBodyMarkup(body, document, links)}${tableOf(
      `Responses of ${id}`,
      ['status', 'body', 'meaning'],
      responses.map(([status, response, content]) => [
        markup`<code>${status}</code>`,
        bodyTypes(content),
        isSuccess(status) || response['$ref'] === undefined
          ? markup`<p>${links.prose(stringAt(content, 'description'))}</p>${headersMarkup(content, links)}`
          : markup`<a href="#${failureAnchor(nameOfRef(stringAt(response, '$ref')))}">${stringAt(content, 'description')}</a>`,
      ]),
    )}${responses
      .filter(([status]) => isSuccess(status))
      .map(([status, , content]) => samplesOf(content, document, `Response ${status}`))}`,
  }
}

const isSuccess = (status: string): boolean => /^[23]/.test(status)

/** Names who may call an operation: the authentication that it requires. */
function securityMarkup(operation: SpecObject, document: SpecObject, links: Links): Child {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes')
  const wanted = (operation['security'] ?? document['security'] ?? []) as SpecObject[]
  const names = [...new Set(wanted.flatMap((one) => Object.keys(one)))]
  return names.map((name) => {
    const scheme = objectAt(schemes, name)
    const form =
      scheme['type'] === 'apiKey'
        ? `${stringAt(scheme, 'name')}: …`
        : `Authorization: ${stringAt(scheme, 'scheme') === 'basic' ? 'Basic' : 'Bearer'} …`
    return markup`<p class="soft">Authentication: <code>${form}</code> ${links.prose(stringAt(scheme, 'description'))}</p>\n`
  })
}

function parameterLine(parameter: SpecObject, links: Links): Child[] {
  const schema = objectAt(parameter, 'schema')
  const { example } = parameter
  return [
    markup`<code>${stringAt(parameter, 'name')}</code>${parameter['required'] === true ? markup` <span class="soft">required</span>` : ''}`,
    markup`${typeOf(schema)}, in the ${stringAt(parameter, 'in')}`,
    markup`<p>${links.prose(stringAt(parameter, 'description'))}</p>${limitsOf(schema)}${example === undefined ? '' : markup`<p>Example: <code>${typeof example === 'string' ? example : JSON.stringify(example)}</code></p>`}<p class="soft">${ownRequirements(parameter, links)}${ownRequirements(schema, links)}</p>`,
  ]
}

/** The limits of a parameter, in words. */
function limitsOf(schema: SpecObject): Child {
  const limits = [
    ...(Array.isArray(schema['enum']) ? [`one of ${schema['enum'].join(', ')}`] : []),
    ...(['minimum', 'maximum', 'default'] as const)
      .filter((key) => schema[key] !== undefined)
      .map((key) => `${key} ${JSON.stringify(schema[key])}`),
  ]
  return limits.length === 0 ? '' : markup`<p>${limits.join(', ')}</p>`
}

function requestBodyMarkup(body: SpecObject, document: SpecObject, links: Links): Child {
  if (!('content' in body)) return ''
  return markup`<p><b>Request body</b>: ${bodyTypes(body)}. ${links.prose(stringAt(body, 'description'))}</p>
${samplesOf(body, document, 'Request')}`
}

/** The media types of a body, each with its schema. */
function bodyTypes(holder: SpecObject): Child {
  const types = Object.entries(objectAt(holder, 'content'))
  if (types.length === 0) return 'not specified'
  return types.map(([type, content], index) => [
    index === 0 ? '' : ', or ',
    typeOf(objectAt(content, 'schema')),
    markup` <span class="soft">${type}</span>`,
  ])
}

function headersMarkup(response: SpecObject, links: Links): Child {
  return Object.entries(objectAt(response, 'headers')).map(([name, header]) => {
    const { example } = header as SpecObject
    return markup`<p>Header <code>${name}${example === undefined ? '' : `: ${String(example)}`}</code>: ${links.prose(stringAt(header, 'description'))} ${ownRequirements(objectAt(header, 'schema'), links)}</p>`
  })
}

/** The examples of a body. Their names begin with `label`. */
function samplesOf(holder: SpecObject, document: SpecObject, label: string): Markup[] {
  return Object.values(objectAt(holder, 'content')).flatMap((content) =>
    Object.values(objectAt(content, 'examples')).map((reference) => {
      const example = resolve(reference, document)
      return sample(`${label}: ${stringAt(example, 'summary')}`, example['value'])
    }),
  )
}

const failureAnchor = (name: string): string => `failure-${name}`

/** The failures to which operations refer, each once. */
function failuresOf(
  documents: readonly SpecObject[],
): (readonly [name: string, response: SpecObject])[] {
  const found = documents.flatMap((document) =>
    Object.values(objectAt(document, 'paths')).flatMap((item) =>
      Object.values(item as SpecObject).flatMap((operation) =>
        Object.entries(objectAt(operation, 'responses'))
          .filter(([status]) => !isSuccess(status))
          .flatMap(([, response]) => {
            const ref = stringAt(response, '$ref')
            return ref === '' ? [] : [[nameOfRef(ref), resolve(response, document)] as const]
          }),
      ),
    ),
  )
  return [...new Map(found)]
}

function failureEntry(
  name: string,
  response: SpecObject,
  document: SpecObject,
  links: Links,
): DocumentedDefinition {
  return {
    id: failureAnchor(name),
    name,
    summary: stringAt(response, 'description'),
    requirements: requirementsIn(response),
    content: markup`<p>${links.prose(stringAt(response, 'description'))}</p>
<p>Body: ${bodyTypes(response)}</p>
${headersMarkup(response, links)}${samplesOf(response, document, 'Response')}`,
  }
}
