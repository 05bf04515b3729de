import { isRecommendation } from './levels.ts'

type AnyJson = { [key: string]: any }

/**
 * How much the schemas of a contract require. `stated`: only what the source document states, which
 * is what verdicts depend on. `documented`: also the types that the document only implies, by a
 * name, a table or an example.
 */
export const strictnesses = ['stated', 'documented'] as const
export type Strictness = (typeof strictnesses)[number]

/** The annotation of a schema in specs/ that has the documented type next to the stated one. */
export const documentedKeyword = 'x-documented'

/** The end of the description of a type that only the documented schemas have. */
export const notStated = 'The document does not state this type.'

/**
 * Returns a part of a contract at one strictness: without the annotation, or with its keywords
 * merged into the schema. The merged keywords replace those with the same name.
 */
export function atStrictness(node: unknown, strictness: Strictness): unknown {
  if (Array.isArray(node)) return node.map((member) => atStrictness(member, strictness))
  if (typeof node !== 'object' || node === null) return node
  const { [documentedKeyword]: annotation, ...stated } = node as AnyJson
  const schema =
    strictness === 'stated'
      ? stated
      : withoutRecommended(annotation === undefined ? stated : merged(stated, annotation))
  return Object.fromEntries(
    Object.entries(schema).map(([key, member]) => [key, atStrictness(member, strictness)]),
  )
}

/**
 * Returns a schema without the required fields that a conforming sender may leave out, because
 * their presence is only recommended. Receivers must not depend on them.
 */
function withoutRecommended(schema: AnyJson): AnyJson {
  const { required, properties } = schema
  if (!Array.isArray(required) || typeof properties !== 'object') return schema
  const kept = (required as string[]).filter(
    (name) => !isRecommendation(properties[name]?.['x-requirement-presence']),
  )
  return kept.length === required.length ? schema : { ...schema, required: kept }
}

/** Returns the folder of the generated modules of a contract, below generated/. */
export const folderOf = (contract: string, strictness: Strictness): string =>
  strictness === 'stated' ? contract : `${contract}/documented`

/** Returns the way from the folder of a contract's modules to generated/. */
export const upOf = (strictness: Strictness): string => (strictness === 'stated' ? '../' : '../../')

function merged(stated: AnyJson, annotation: AnyJson): AnyJson {
  // A stated schema without a type can still exclude null or refer to a looser schema.
  const { not: _, $ref: __, ...rest } = stated
  if ('$ref' in annotation) delete rest.type
  const sentences = [
    (annotation.description ?? stated.description) as string | undefined,
    // If the document states a type, the annotation only adds detail.
    'type' in stated ? undefined : notStated,
  ].filter((sentence) => sentence !== undefined)
  const requirement: unknown = stated['x-requirement']
  return {
    ...rest,
    // The requirement that names an object also covers the fields that only the annotation lists.
    ...(requirement === undefined ? {} : { 'x-requirement-nested': requirement }),
    ...annotation,
    ...(sentences.length > 0 ? { description: sentences.join(' ') } : {}),
  }
}
