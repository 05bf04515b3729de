import { UsageError } from '../../print-error.ts'
import { compareAsyncApi } from './asyncapi.ts'
import { ChangeList, type ContractChange, type Direction } from './change.ts'
import { isObject, readDocument, type Located } from './documents.ts'
import { compareJsonSchema } from './json-schema.ts'
import { compareOpenApi } from './openapi.ts'
import { compareProto } from './proto.ts'

export type Format = 'OpenAPI' | 'AsyncAPI' | 'JSON Schema' | 'Protocol Buffers'

/**
 * Returns the format of a file. Undefined if it is not a contract, such as a file of components.
 */
export function formatOf(file: string): Format | undefined {
  if (file.endsWith('.proto')) return 'Protocol Buffers'
  const { value } = readDocument(file)
  if (!isObject(value)) return undefined
  if ('openapi' in value || 'swagger' in value) return 'OpenAPI'
  if ('asyncapi' in value) return 'AsyncAPI'
  return schemaKeywords.some((key) => key in value) ? 'JSON Schema' : undefined
}

/** A file with one of these members is a schema. */
const schemaKeywords = ['$schema', '$defs', 'definitions', 'properties', 'type', 'allOf', 'anyOf']

/** What can be compared, as errors list it. */
export const formats =
  'OpenAPI 3, AsyncAPI 2 and 3, JSON Schema (.json, .yaml, .yml) and Protocol Buffers (.proto)'

/**
 * Lists the changes between two versions of a contract, the breaking ones first. `direction` says
 * who writes the values of a JSON Schema; other formats state it.
 */
export function compareFiles(
  older: string,
  newer: string,
  direction: Direction = 'both',
): readonly ContractChange[] {
  const [format, other] = [formatOf(older), formatOf(newer)]
  const unknown = format === undefined ? older : other === undefined ? newer : undefined
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is not a contract.\nNext: name a file in ${formats}.`)
  if (format !== other)
    throw new UsageError(
      `${older} is ${format}, and ${newer} is ${other}.\nNext: compare files of the same format.`,
    )
  const changes = new ChangeList()
  if (format === 'Protocol Buffers') compareProto(older, newer, changes)
  else {
    const documents = [readDocument(older), readDocument(newer)] as const
    if (format === 'OpenAPI') {
      documents.forEach(requireVersion3)
      compareOpenApi(...documents, changes)
    } else if (format === 'AsyncAPI') compareAsyncApi(...documents, changes)
    else compareJsonSchema(...documents, changes, direction)
  }
  return changes.list()
}

function requireVersion3({ value, file }: Located): void {
  if (isObject(value) && 'swagger' in value)
    throw new UsageError(
      `${file} is OpenAPI 2 (Swagger), which cannot be compared.\nNext: convert it to OpenAPI 3.`,
    )
}
