import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { readSamples } from '../static/deliveries.ts'
import { readSampleTools } from '../static/tools.ts'
import { hosts } from './images.ts'
import { readContract, resolve, type AnyJson } from './openapi.ts'
import { documentExamples } from './schema-examples.ts'
import { root } from './source.ts'
import { atStrictness, documentedKeyword, notStated } from './strictness.ts'
import { schemasAt } from './tools.ts'
import { newAjv } from './validators.ts'

const contracts = ['events', 'hooks', 'images', 'auth', 'tools'] as const

/** The members of the documented types whose content is not specified, each with the reason. */
const unknownMembers: { readonly [contract in (typeof contracts)[number]]: object } = {
  events: {
    'schemas.Change.current': 'The type of a changed value depends on its field.',
    'schemas.Change.previous': 'The type of a changed value depends on its field.',
  },
  hooks: {
    'schemas.HookError': 'The document shows no response to a refused call.',
    'schemas.TestResult': 'The document shows no response to a test call.',
  },
  images: {
    'schemas.AnyBody': 'The document shows no response of the upload host.',
    'schemas.Image.metadata': 'The user chooses the members of the metadata.',
    'schemas.ObjectSuccess.result': 'The document shows no result of deletions and configuration.',
    'schemas.Success.result': 'The result depends on the operation.',
    'schemas.UploadTicketInput.metadata': 'The user chooses the members of the metadata.',
  },
  auth: {
    'schemas.RegisteredClient.jwks.keys': 'The members of a key depend on its algorithm.',
  },
  tools: {
    'schemas.Constraint': 'A constraint has any keywords of JSON Schema.',
    'schemas.InputSchema.properties.[key]': 'A field has any keywords of JSON Schema.',
  },
}

/** Returns the members of a module of types that contain `unknown`, by path. */
function unknownsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = new Set<string>()
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (node.kind === ts.SyntaxKind.UnknownKeyword) found.add(path.join('.'))
    // `string & unknown` is `string`.
    if (ts.isIntersectionTypeNode(node) && node.types[0]!.kind === ts.SyntaxKind.StringKeyword)
      return
    const step =
      ts.isPropertySignature(node) || ts.isIndexSignatureDeclaration(node)
        ? [nameOf(node, source)]
        : []
    // Any response can have further headers.
    if (step[0] === 'headers') return
    ts.forEachChild(node, (child) => visit(child, [...path, ...step]))
  }
  visit(source, [])
  return [...found].sort()
}

function nameOf(
  node: ts.PropertySignature | ts.IndexSignatureDeclaration,
  source: ts.SourceFile,
): string {
  return ts.isPropertySignature(node)
    ? node.name.getText(source)
    : `[${node.parameters[0]!.name.getText(source)}]`
}

/** Returns the names of the documented schemas that do not accept a value, with the errors. */
function rejections(document: AnyJson, values: readonly { schema: AnyJson; value: unknown }[]) {
  const ajv = newAjv({ strict: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  return values.flatMap(({ schema, value }) => {
    const reference = (schema.$ref as string | undefined) ?? schema
    const accepts =
      typeof reference === 'string'
        ? ajv.getSchema(`document${reference}`)!
        : ajv.compile(
            JSON.parse(JSON.stringify(reference).replaceAll('"#/', '"document#/')) as AnyJson,
          )
    return accepts(value) === true
      ? []
      : [`${JSON.stringify(schema)}: ${ajv.errorsText(accepts.errors)}`]
  })
}

describe('the documented types', () => {
  it.each(contracts)('of %s leave only members unknown that have a reason', (contract) => {
    const file = join(root, 'generated', contract, 'documented/types.ts')
    expect(unknownsOf(file)).toEqual(Object.keys(unknownMembers[contract]))
  })

  it('finds unknown members', () => {
    expect(unknownsOf(join(root, 'generated/events/types.ts')).length).toBeGreaterThan(150)
  })
})

describe('the documented schemas', () => {
  it('accept the sample payloads', () => {
    const document = readContract('events', 'documented')
    const values = readSamples().map(({ event, payload }) => ({
      schema: resolve(document, document.channels.deliveries.messages[event] as AnyJson).payload,
      value: payload,
    }))
    expect(values.length).toBeGreaterThan(40)
    expect(rejections(document, values)).toEqual([])
  })

  it.each(['hooks', 'auth', ...Object.values(hosts)])('accept the examples of %s', (name) => {
    const document = readContract(name, 'documented')
    // The bytes of a file are not JSON.
    const values = documentExamples(document).filter(({ schema }) => schema.format !== 'binary')
    expect(values.length).toBeGreaterThan(0)
    expect(rejections(document, values)).toEqual([])
  })

  it('accept the samples of tools', () => {
    const schemas = schemasAt('documented')
    const samples = readSampleTools().map(({ schema, value }) => ({
      schema: { $ref: `#/components/schemas/${schema}` },
      value,
    }))
    const examples = Object.entries(schemas).flatMap(([name, { examples = [] }]) =>
      (examples as unknown[]).map((value) => ({
        schema: { $ref: `#/components/schemas/${name}` },
        value,
      })),
    )
    expect(rejections({ components: { schemas } }, [...samples, ...examples])).toEqual([])
  })

  it('are valid in strict mode', () => {
    for (const name of ['events', 'hooks', 'auth', ...Object.values(hosts)]) {
      const { components } = readContract(name, 'documented')
      const $defs = JSON.parse(
        JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
      ) as AnyJson
      const ajv = newAjv()
      ajv.addSchema({ $id: 'document', $defs })
      for (const schema of Object.keys($defs))
        expect(ajv.getSchema(`document#/$defs/${schema}`), schema).toBeDefined()
    }
  })

  it('leave the stated schemas as they are', () => {
    for (const name of ['events', 'hooks', 'auth', ...Object.values(hosts)])
      expect(JSON.stringify(readContract(name))).not.toContain(documentedKeyword)
    expect(JSON.stringify(schemasAt('stated'))).not.toContain(documentedKeyword)
  })
})

describe('an annotation', () => {
  const schema = {
    not: { type: 'null' },
    description: 'The name.',
    'x-requirement': 'A-B-01',
    'x-documented': { type: ['string', 'null'] },
  }

  it('is absent from the stated schema', () => {
    expect(atStrictness([schema], 'stated')).toEqual([
      { not: { type: 'null' }, description: 'The name.', 'x-requirement': 'A-B-01' },
    ])
  })

  it('replaces the keywords of the documented schema, and its description says so', () => {
    expect(atStrictness(schema, 'documented')).toEqual({
      type: ['string', 'null'],
      description: `The name. ${notStated}`,
      'x-requirement': 'A-B-01',
      'x-requirement-nested': 'A-B-01',
    })
  })

  it('adds detail to a stated type', () => {
    const stated = { type: 'object', 'x-documented': { properties: { id: { type: 'integer' } } } }
    expect(atStrictness(stated, 'documented')).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' } },
    })
  })
})
