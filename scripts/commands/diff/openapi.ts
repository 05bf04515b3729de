import type { ChangeList, Direction } from './change.ts'
import { follow, isObject, objectAt, type DocumentJson, type Located } from './documents.ts'
import { SchemaComparison } from './schema/compare.ts'
import { canonical } from './schema/shape.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** A pair of objects, one of each version. References in them are resolved. */
type Both = readonly [older: Located<DocumentJson>, newer: Located<DocumentJson>]

/** An operation, with what its path and its document state for it. */
interface Operation {
  readonly node: Located<DocumentJson>
  /** The parameters, by location and name. The names of path parameters are their positions. */
  readonly parameters: ReadonlyMap<string, Located<DocumentJson>>
  /** The alternatives that authenticate a request. Each is a set of schemes with scopes. */
  readonly security: readonly ReadonlySet<string>[]
}

/** Compares two OpenAPI documents, from the point of view of clients. */
export function compareOpenApi(older: Located, newer: Located, changes: ChangeList): void {
  new OpenApiComparison(changes).compare([asNode(older), asNode(newer)])
}

class OpenApiComparison {
  readonly #changes: ChangeList
  readonly #schemas: SchemaComparison

  constructor(changes: ChangeList) {
    this.#changes = changes
    this.#schemas = new SchemaComparison(changes)
  }

  compare(documents: Both): void {
    this.#compareOperations(documents, 'paths', 'sent')
    // The server sends webhooks, so the user of the types receives them.
    this.#compareOperations(documents, 'webhooks', 'received')
    this.#compareSecuritySchemes(documents)
    this.#compareNamedSchemas(documents)
    const [older, newer] = documents
    for (const key of ['info', 'tags', 'externalDocs', 'servers'])
      if (withoutVersion(older.value[key]) !== withoutVersion(newer.value[key])) {
        const level = key === 'servers' ? 'compatible' : 'documentation'
        this.#changes.add(level, `${key}-changed`, key, `${key} changed`)
      }
  }

  #compareOperations(documents: Both, section: 'paths' | 'webhooks', direction: Direction): void {
    const [older, newer] = documents.map((document) => operationsOf(document, section)) as [
      Map<string, Operation>,
      Map<string, Operation>,
    ]
    for (const [place, operation] of older) {
      const other = newer.get(place)
      if (other === undefined)
        this.#changes.add('breaking', 'operation-removed', place, 'the operation was removed')
      else this.#compareOperation(operation, other, place, direction)
    }
    for (const place of newer.keys())
      if (!older.has(place))
        this.#changes.add('compatible', 'operation-added', place, 'the operation was added')
  }

  #compareOperation(older: Operation, newer: Operation, place: string, sent: Direction): void {
    const [before, after] = [older.node.value, newer.node.value]
    if (before.operationId !== after.operationId)
      this.#changes.add(
        'breaking',
        'operation-id-changed',
        place,
        `the operationId ${String(before.operationId)} became ${String(after.operationId)}`,
      )
    if (before.deprecated !== after.deprecated && after.deprecated === true)
      this.#changes.add('compatible', 'deprecated', place, 'the operation is deprecated')
    for (const key of ['summary', 'description', 'tags', 'externalDocs', 'x-requirement'])
      if (JSON.stringify(before[key]) !== JSON.stringify(after[key]))
        this.#changes.add('documentation', 'text-changed', place, `${key} changed`)
    this.#compareParameters(older, newer, place, sent)
    this.#compareSecurity(older, newer, place)
    this.#compareBody(older, newer, place, sent)
    this.#compareResponses(older, newer, place, sent === 'sent' ? 'received' : 'sent')
  }

  #compareParameters(older: Operation, newer: Operation, place: string, sent: Direction): void {
    for (const [name, parameter] of older.parameters) {
      const other = newer.parameters.get(name)
      const below = `${place}, parameter ${name}`
      if (other === undefined) {
        this.#changes.add('breaking', 'parameter-removed', below, 'the parameter was removed')
        continue
      }
      const [before, after] = [parameter.value, other.value]
      if (before.name !== after.name)
        this.#changes.add(
          'breaking',
          'parameter-renamed',
          below,
          `the name ${String(before.name)} became ${String(after.name)}`,
        )
      this.#compareRequired(before, after, below, sent)
      for (const key of ['style', 'explode', 'allowReserved', 'allowEmptyValue'])
        if (before[key] !== after[key])
          this.#changes.add('breaking', 'serialization-changed', below, `${key} changed`)
      if (before.description !== after.description)
        this.#changes.add('documentation', 'text-changed', below, 'description changed')
      this.#compareSchemaOf(parameter, other, below, sent)
      this.#compareContent([parameter, other], below, sent)
    }
    for (const [name, { value }] of newer.parameters) {
      if (older.parameters.has(name)) continue
      const isRequired = value.required === true
      this.#changes.add(
        isRequired && sent === 'sent' ? 'breaking' : 'compatible',
        'parameter-added',
        `${place}, parameter ${name}`,
        isRequired ? 'a required parameter was added' : 'a parameter was added',
      )
    }
  }

  /** Compares whether a parameter or a body is required. */
  #compareRequired(
    before: DocumentJson,
    after: DocumentJson,
    place: string,
    direction: Direction,
  ): void {
    const [old, current] = [before.required === true, after.required === true]
    if (old === current) return
    const breaks = current === (direction === 'sent')
    this.#changes.add(
      breaks ? 'breaking' : 'compatible',
      current ? 'became-required' : 'became-optional',
      place,
      current ? 'it became required' : 'it became optional',
    )
  }

  #compareSecurity({ security: before }: Operation, { security: after }: Operation, place: string) {
    // A request that was authenticated must still be: with the same schemes and scopes, or fewer.
    const still = before.every((old) => after.some((each) => [...each].every((it) => old.has(it))))
    const isSame = canonicalSecurity(before) === canonicalSecurity(after)
    if (isSame) return
    this.#changes.add(
      still ? 'compatible' : 'breaking',
      'security-changed',
      place,
      `the security ${describeSecurity(before)} became ${describeSecurity(after)}`,
    )
  }

  #compareBody(older: Operation, newer: Operation, place: string, direction: Direction): void {
    const [before, after] = [
      memberOf(older.node, 'requestBody'),
      memberOf(newer.node, 'requestBody'),
    ]
    const below = `${place}, request`
    if (before === undefined && after === undefined) return
    if (before === undefined) {
      const isRequired = after!.value.required === true
      this.#changes.add(
        isRequired && direction === 'sent' ? 'breaking' : 'compatible',
        'body-added',
        below,
        isRequired ? 'a required body was added' : 'a body was added',
      )
    } else if (after === undefined)
      this.#changes.add('breaking', 'body-removed', below, 'the body was removed')
    else {
      this.#compareRequired(before.value, after.value, below, direction)
      this.#compareContent([before, after], below, direction)
    }
  }

  #compareResponses(older: Operation, newer: Operation, place: string, direction: Direction): void {
    const [before, after] = [older, newer].map(({ node }) => membersOf(node, 'responses')) as [
      Map<string, Located<DocumentJson>>,
      Map<string, Located<DocumentJson>>,
    ]
    for (const [status, response] of before) {
      const other = after.get(status)
      const below = `${place}, response ${status}`
      if (other === undefined) {
        this.#changes.add('breaking', 'response-removed', below, 'the response was removed')
        continue
      }
      if (response.value.description !== other.value.description)
        this.#changes.add('documentation', 'text-changed', below, 'description changed')
      this.#compareContent([response, other], below, direction)
      this.#compareHeaders([response, other], below, direction)
    }
    for (const status of after.keys()) {
      if (before.has(status)) continue
      // Clients must expect failures, but they read the body of a success.
      const breaks = direction === 'received' && /^[123]/.test(status)
      this.#changes.add(
        breaks ? 'breaking' : 'compatible',
        'response-added',
        `${place}, response ${status}`,
        'the response was added',
      )
    }
  }

  #compareHeaders(responses: Both, place: string, direction: Direction): void {
    const [before, after] = responses.map((response) => membersOf(response, 'headers')) as [
      Map<string, Located<DocumentJson>>,
      Map<string, Located<DocumentJson>>,
    ]
    for (const [name, header] of before) {
      const other = after.get(name)
      const below = `${place}, header ${name}`
      if (other === undefined) {
        this.#changes.add('breaking', 'header-removed', below, 'the header was removed')
        continue
      }
      this.#compareRequired(header.value, other.value, below, direction)
      this.#compareSchemaOf(header, other, below, direction)
    }
    for (const name of after.keys())
      if (!before.has(name))
        this.#changes.add('compatible', 'header-added', `${place}, header ${name}`, 'it was added')
  }

  /** Compares the bodies of each content type. */
  #compareContent(holders: Both, place: string, direction: Direction): void {
    const [before, after] = holders.map((holder) => membersOf(holder, 'content')) as [
      Map<string, Located<DocumentJson>>,
      Map<string, Located<DocumentJson>>,
    ]
    for (const [type, media] of before) {
      const other = after.get(type)
      const below = `${place} ${type}`
      if (other === undefined) {
        this.#changes.add('breaking', 'content-removed', below, 'the content type was removed')
        continue
      }
      if (JSON.stringify(media.value.encoding) !== JSON.stringify(other.value.encoding))
        this.#changes.add('breaking', 'serialization-changed', below, 'encoding changed')
      if (canonicalOf(media, 'examples') !== canonicalOf(other, 'examples'))
        this.#changes.add('documentation', 'examples-changed', below, 'examples changed')
      this.#compareSchemaOf(media, other, below, direction)
    }
    for (const type of after.keys())
      if (!before.has(type))
        this.#changes.add('compatible', 'content-added', `${place} ${type}`, 'it was added')
  }

  #compareSchemaOf(
    older: Located<DocumentJson>,
    newer: Located<DocumentJson>,
    place: string,
    to: Direction,
  ): void {
    this.#schemas.compare(
      { value: older.value.schema ?? true, file: older.file },
      { value: newer.value.schema ?? true, file: newer.file },
      `${place}:`,
      to,
    )
  }

  #compareSecuritySchemes(documents: Both): void {
    const [before, after] = documents.map((document) =>
      membersOf({ ...document, value: objectAt(document.value, 'components') }, 'securitySchemes'),
    ) as [Map<string, Located<DocumentJson>>, Map<string, Located<DocumentJson>>]
    for (const [name, scheme] of before) {
      const other = after.get(name)
      if (other !== undefined && canonical(scheme) !== canonical(other))
        this.#changes.add(
          'breaking',
          'security-scheme-changed',
          `security scheme ${name}`,
          'the scheme changed',
        )
    }
  }

  /** Compares the names of schemas, which are the names of types, and schemas that are not used. */
  #compareNamedSchemas(documents: Both): void {
    const [before, after] = documents.map((document) =>
      namedSchemas({ ...document, value: objectAt(document.value, 'components') }, 'schemas'),
    ) as [Map<string, Located>, Map<string, Located>]
    compareNames(before, after, this.#changes)
    for (const [name, schema] of before) {
      const other = after.get(name)
      if (other !== undefined && !this.#schemas.hasCompared(name))
        this.#schemas.compare(schema, other, `schema ${name}`, 'both')
    }
  }
}

/** Reports the names of schemas that were removed or added. */
export function compareNames(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  changes: ChangeList,
): void {
  for (const name of before.keys())
    if (!after.has(name))
      changes.add('breaking', 'schema-removed', `schema ${name}`, 'the schema was removed')
  for (const name of after.keys())
    if (!before.has(name))
      changes.add('compatible', 'schema-added', `schema ${name}`, 'the schema was added')
}

/** Returns the schemas of a section, by name. */
export function namedSchemas({ value, file }: Located, section: string): Map<string, Located> {
  return new Map(
    Object.entries(objectAt(value, section)).map(([name, schema]) => [
      name,
      { value: schema, file },
    ]),
  )
}

/** Follows the references of a node, whose value becomes an empty object if it is another value. */
export function asNode(node: Located): Located<DocumentJson> {
  const { value, file } = follow(node)
  return { value: isObject(value) ? value : {}, file }
}

/** Returns a member as a node. Undefined if there is none. */
export function memberOf(
  { value, file }: Located<DocumentJson>,
  key: string,
): Located<DocumentJson> | undefined {
  return value[key] === undefined ? undefined : asNode({ value: value[key], file })
}

/** Returns the members of a member, by name, without extensions. */
export function membersOf(
  node: Located<DocumentJson>,
  key: string,
): Map<string, Located<DocumentJson>> {
  const holder = memberOf(node, key)
  if (holder === undefined) return new Map()
  return new Map(
    Object.entries(holder.value)
      .filter(([, value]) => isObject(value))
      .map(([name, value]) => [name, asNode({ value, file: holder.file })]),
  )
}

/**
 * Returns the operations of a document by method and path. The names of path parameters are
 * omitted, because they do not change the URL.
 */
function operationsOf(document: Located<DocumentJson>, section: string): Map<string, Operation> {
  const found = new Map<string, Operation>()
  for (const [path, item] of membersOf(document, section))
    for (const method of methods) {
      const node = memberOf(item, method)
      if (node === undefined) continue
      const template = path.replaceAll(/\{[^}]*\}/g, '{}')
      found.set(`${section === 'paths' ? method.toUpperCase() : 'webhook'} ${template}`, {
        node,
        parameters: new Map([...parametersOf(item, path), ...parametersOf(node, path)]),
        security: securityOf(node.value.security ?? document.value.security),
      })
    }
  return found
}

function parametersOf(
  holder: Located<DocumentJson>,
  path: string,
): [string, Located<DocumentJson>][] {
  const list = Array.isArray(holder.value.parameters) ? holder.value.parameters : []
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  return list.map((each: unknown) => {
    const parameter = asNode({ value: each, file: holder.file })
    const name = String(parameter.value.name)
    const position = inPath.indexOf(name) + 1
    return [
      parameter.value.in === 'path'
        ? `${position} of the path`
        : `${String(parameter.value.in)} ${name}`,
      parameter,
    ]
  })
}

function securityOf(security: unknown): ReadonlySet<string>[] {
  const alternatives = Array.isArray(security) ? (security as DocumentJson[]) : []
  if (alternatives.length === 0) return [new Set()]
  return alternatives.map(
    (alternative) =>
      new Set(
        Object.entries(alternative).flatMap(([scheme, scopes]) => [
          scheme,
          ...(scopes as string[]).map((scope) => `${scheme} (${scope})`),
        ]),
      ),
  )
}

const canonicalSecurity = (security: readonly ReadonlySet<string>[]) =>
  JSON.stringify(security.map((each) => [...each].sort()).sort())

const describeSecurity = (security: readonly ReadonlySet<string>[]) =>
  security.map((each) => (each.size === 0 ? 'none' : [...each].join(' and '))).join(' or ')

const canonicalOf = ({ value, file }: Located<DocumentJson>, key: string) =>
  canonical({ value: { values: value[key], value: value[key.slice(0, -1)] ?? null }, file })

function withoutVersion(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value)
  const { version: _, ...others } = value
  return JSON.stringify(others)
}
