import { describe, expect, it } from 'vitest'
import { after, withField, type Loose } from './findings.testing.ts'

describe('constraints of a field', () => {
  it.each<[object]>([
    [{ type: 'string', maxLength: 9 }],
    [{ type: 'string', pattern: '^a' }],
    [{ type: 'string', format: 'date' }],
    [{ enum: ['a', 'b'] }],
    [{ const: 7 }],
    [{ type: 'boolean' }],
    [{ type: 'null' }],
    [{ type: 'integer', minimum: 0 }],
    [{ type: 'number', exclusiveMaximum: 1 }],
    [{ type: 'integer', multipleOf: 5 }],
    [{ type: ['integer', 'null'], maximum: 3 }],
    [{ type: 'array', maxItems: 2 }],
    [{ type: 'array', uniqueItems: true }],
    [{ type: 'array', items: { type: 'string', minLength: 1 } }],
    [{ type: 'array', items: { type: 'boolean' } }],
    [{ type: 'array', items: { enum: ['a'] } }],
    [{ type: 'object' }],
    [{ type: 'object', additionalProperties: { type: 'string' } }],
    [{ anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] }],
    [{ type: 'string', allOf: [{ maxLength: 3 }] }],
    [{ type: 'string', anyOf: [{ minLength: 3 }, { pattern: '^a' }] }],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }] }],
    [{ $ref: 'https://elsewhere.example/field.json' }],
    [{ anyOf: [{ $ref: '#/properties/query' }, { type: 'null' }] }],
    [{ $ref: '#' }],
    [{ type: 'string', not: { enum: ['a'] } }],
  ])('%j are enough', (field) => {
    expect(withField(field)).toEqual([])
  })

  it.each<[object, string]>([
    [{ type: 'string' }, 'field-constraint .extra'],
    [{ type: 'integer' }, 'field-constraint .extra'],
    [{ type: 'array' }, 'field-constraint .extra'],
    [{ type: 'array', items: { type: 'string' } }, 'field-constraint .extra'],
    [{ type: 'string', minLength: 0 }, 'field-constraint .extra'],
    [{ type: 'array', uniqueItems: false }, 'field-constraint .extra'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'field-constraint .extra'],
    [{ type: ['string', 'null'] }, 'field-constraint .extra'],
    [
      { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] },
      'warning: field-constraint .extra',
    ],
    [{ minLength: 2 }, 'field-type .extra'],
    [{ anyOf: [{ type: 'string', minLength: 1 }, {}] }, 'field-type .extra.anyOf[1]'],
    [{ type: 'text' }, 'field-type .extra.type'],
    [
      { type: 'object', properties: { from: { type: 'string', maxLength: 2 } } },
      'warning: field-description .extra.properties.from',
    ],
    [
      {
        type: 'array',
        maxItems: 3,
        items: { type: 'object', properties: { from: { type: 'string', description: 'a' } } },
      },
      'warning: field-constraint .extra.items.properties.from',
    ],
  ])('%j are not enough', (field, expected) => {
    expect(withField(field)).toEqual([expected])
  })

  it('are read in params, behind references and in allOf', () => {
    expect(
      after((tool) => {
        delete tool.inputSchema.$defs.SearchInput.properties.query.description
      }, 'nested'),
    ).toEqual(['field-description $.tools[0].inputSchema.$defs.SearchInput.properties.query'])
    expect(
      after((tool) => {
        const { properties } = tool.inputSchema
        tool.inputSchema = {
          type: 'object',
          allOf: [
            { $ref: '#/$defs/page' },
            { properties: { query: { type: 'string', description: 'a' } } },
          ],
          $defs: {
            page: { $anchor: 'p', properties: { limit: { ...properties.limit, maximum: 50 } } },
          },
        }
      }),
    ).toEqual([
      'limit $.tools[0].inputSchema.$defs.page.properties.limit.maximum',
      'field-constraint $.tools[0].inputSchema.allOf[1].properties.query',
    ])
    expect(
      after((tool) => {
        tool.inputSchema.properties = {
          input: { type: 'object', properties: { query: { type: 'string', description: 'a' } } },
        }
      }),
    ).toEqual([
      'warning: field-description $.tools[0].inputSchema.properties.input',
      'field-constraint $.tools[0].inputSchema.properties.input.properties.query',
    ])
  })

  it('are judged in bounded time for any schema', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `d${index}`,
        { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    )
    const deep = Array.from({ length: 20_000 }).reduce<object>(
      (inner, _, index) =>
        index % 2 === 0 ? { type: 'object', properties: { a: inner } } : { allOf: [inner] },
      {},
    )
    expect(withField({ $ref: '#/$defs/d0', $defs: {} })).toContain('input-schema .extra.$ref')
    expect(
      after((tool) => {
        Object.assign(tool.inputSchema, { $defs: { ...$defs, d60: { type: 'string' } } })
        tool.inputSchema.properties.extra = { $ref: '#/$defs/d0' }
      }),
    ).toEqual([])
    expect(() => withField(deep)).not.toThrow()
  })
})

describe('common fields', () => {
  it.each<[string, object, string[]]>([
    ['limit', { minimum: 0 }, ['limit .limit.minimum']],
    ['limit', { maximum: 50 }, ['limit .limit.maximum']],
    ['limit', { maximum: undefined }, ['limit .limit']],
    ['limit', { type: 'number' }, ['limit .limit']],
    ['limit', { type: 'number', multipleOf: 1 }, []],
    ['limit', { minimum: undefined, exclusiveMinimum: 0 }, []],
    ['limit', { maximum: undefined, exclusiveMaximum: 101 }, []],
    ['limit', { minimum: 0, exclusiveMinimum: true }, []],
    ['limit', { default: 10 }, ['limit-default .limit.default']],
    ['limit', { default: undefined }, ['warning: limit-default .limit']],
    ['offset', { minimum: 1 }, ['offset .offset.minimum']],
    ['offset', { maximum: 9007199254740991 }, []],
    ['offset', { default: null }, ['offset-default .offset.default']],
    [
      'offset',
      {
        type: undefined,
        minimum: undefined,
        anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }],
      },
      [],
    ],
    [
      'offset',
      {
        type: undefined,
        minimum: undefined,
        anyOf: [{ type: 'integer', minimum: -1 }, { type: 'null' }],
      },
      ['offset .offset.anyOf[0].minimum'],
    ],
    ['response_format', { enum: ['markdown'] }, ['response_format .response_format']],
    ['response_format', { enum: ['json', 'markdown'] }, []],
    [
      'response_format',
      { enum: ['json', 'markdown', 'csv'] },
      ['warning: response_format .response_format'],
    ],
    ['response_format', { default: 'json' }, ['response_format-default .response_format.default']],
    ['response_format', { enum: undefined, maxLength: 8 }, ['response_format .response_format']],
    ['response_format', { enum: undefined, oneOf: [{ const: 'markdown' }, { const: 'json' }] }, []],
  ])('have the expected findings: %s with %j', (field, change, expected) => {
    const changed = (tool: Loose) => {
      tool.inputSchema.properties[field] = JSON.parse(
        JSON.stringify({ ...tool.inputSchema.properties[field], ...change }),
      )
    }
    expect(
      after(changed).map((line) => line.replace('$.tools[0].inputSchema.properties', '')),
    ).toEqual(expected)
  })

  it('need a default, and must not be required, because a required field never uses its default', () => {
    expect(
      after((tool) => {
        tool.inputSchema.required.push('limit')
        delete tool.inputSchema.properties.limit.default
      }),
    ).toEqual(['limit-default $.tools[0].inputSchema.properties.limit'])
    expect(
      after((tool) => {
        tool.inputSchema.required.push('limit')
      }),
    ).toEqual(['warning: limit-default $.tools[0].inputSchema.properties.limit'])
  })

  it('may be missing', () => {
    expect(
      after((tool) => {
        for (const field of ['limit', 'offset', 'response_format'])
          delete tool.inputSchema.properties[field]
      }),
    ).toEqual([])
  })
})
