import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findingsOf, type DefinitionFinding } from './index.ts'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- definitions of any shape
type Loose = any
const golden = (name: string) =>
  JSON.parse(
    readFileSync(
      new URL(`../../specs/examples/tools/ToolDefinition.${name}.json`, import.meta.url),
      'utf8',
    ),
  ) as Loose
const brief = ({ rule, path, severity }: DefinitionFinding) =>
  `${severity === 'warning' ? 'warning: ' : ''}${rule} ${path}`
const found = (definitions: unknown, serverName?: string) =>
  findingsOf(definitions, serverName).map(brief)
/** The findings about the golden tool after a change. */
function after(change: (tool: Loose) => void, name = 'flat') {
  const tool = golden(name)
  change(tool)
  return found([tool])
}
/** The findings about the golden tool with one more field, which has a description. */
const withField = (field: object) =>
  after((tool) => {
    tool.inputSchema.properties.extra = { description: 'More.', ...field }
  }).map((line) => line.replace('$.tools[0].inputSchema.properties', ''))
const named = (...names: string[]) => names.map((name) => ({ ...golden('flat'), name }))

describe('the definitions of tools', () => {
  it('have no findings if they are golden, flat or nested', () => {
    expect(found([golden('flat'), golden('destructive')], 'shelf_mcp')).toEqual([])
    expect(found([golden('nested'), golden('destructive')], 'shelf_mcp')).toEqual([])
  })

  it.each<[string, (tool: Loose) => void, string[]]>([
    [
      'no description',
      (tool) => {
        delete tool.description
      },
      ['description $.tools[0]'],
    ],
    [
      'an empty description',
      (tool) => {
        tool.description = ' '
      },
      ['description $.tools[0].description'],
    ],
    [
      'the name as description',
      (tool) => {
        tool.description = tool.name
      },
      ['warning: description $.tools[0].description'],
    ],
    [
      'no name',
      (tool) => {
        delete tool.name
      },
      ['name $.tools[0]'],
    ],
    [
      'no annotations',
      (tool) => {
        delete tool.annotations
      },
      ['annotations $.tools[0]'],
    ],
    [
      'a missing hint',
      (tool) => {
        delete tool.annotations.openWorldHint
      },
      ['openWorldHint $.tools[0].annotations'],
    ],
    [
      'a hint that is a string',
      (tool) => {
        tool.annotations.idempotentHint = 'true'
      },
      ['idempotentHint $.tools[0].annotations.idempotentHint'],
    ],
    [
      'a title outside of annotations',
      (tool) => {
        delete tool.annotations.title
        tool.title = 'Search books'
      },
      ['title $.tools[0].annotations'],
    ],
    [
      'a title of spaces',
      (tool) => {
        tool.annotations.title = ' '
      },
      ['title $.tools[0].annotations.title'],
    ],
    [
      'the name as title',
      (tool) => {
        tool.annotations.title = tool.name
      },
      ['warning: title $.tools[0].annotations.title'],
    ],
    [
      'contradicting hints',
      (tool) => {
        tool.annotations.destructiveHint = true
      },
      ['warning: contradiction $.tools[0].annotations.destructiveHint'],
    ],
    [
      'no input schema',
      (tool) => {
        delete tool.inputSchema
      },
      ['input-schema $.tools[0]'],
    ],
    [
      'an input schema of another type',
      (tool) => {
        tool.inputSchema.type = 'array'
      },
      ['input-schema $.tools[0].inputSchema.type'],
    ],
    [
      'an array of fields',
      (tool) => {
        tool.inputSchema.properties = []
      },
      ['input-schema $.tools[0].inputSchema.properties'],
    ],
    [
      'a reference to nothing',
      (tool) => {
        tool.inputSchema.properties.query = { $ref: '#/$defs/Query' }
      },
      ['input-schema $.tools[0].inputSchema.properties.query.$ref'],
    ],
    [
      'a field without a description',
      (tool) => {
        delete tool.inputSchema.properties.tags.description
      },
      ['field-description $.tools[0].inputSchema.properties.tags'],
    ],
    [
      'a field without a type',
      (tool) => {
        delete tool.inputSchema.properties.query.type
      },
      ['field-type $.tools[0].inputSchema.properties.query'],
    ],
    [
      'a field that accepts anything',
      (tool) => {
        tool.inputSchema.properties['any thing'] = true
      },
      [
        "field-description $.tools[0].inputSchema.properties['any thing']",
        "field-type $.tools[0].inputSchema.properties['any thing']",
      ],
    ],
  ])('with %s have findings', (_, change, expected) => {
    expect(after(change)).toEqual(expected)
  })

  it.each<[string, unknown, string[]]>([
    ['an object', { books: [] }, ['list $.tools']],
    ['undefined', undefined, ['list $.tools']],
    ['a list without objects', [7, null], ['definition $.tools[0]', 'definition $.tools[1]']],
    ['an empty list', [], []],
  ])('are examined without an exception if they are %s', (_, definitions, expected) => {
    expect(found(definitions)).toEqual(expected)
  })

  it('have findings that contain the tool, the problem and its fix, in the order of the definitions', () => {
    const [one, other] = named('shelf_get_book', 'shelf_getBook')
    delete one.annotations.title
    expect(findingsOf([other, one])).toEqual([
      {
        rule: 'name',
        requirement: 'TOOL-NAME-01',
        tool: 'shelf_getBook',
        path: '$.tools[0].name',
        severity: 'error',
        problem: 'is not in snake_case',
        fix: 'call it shelf_get_book',
      },
      {
        rule: 'title',
        requirement: 'TOOL-HINT-01',
        tool: 'shelf_get_book',
        path: '$.tools[1].annotations',
        severity: 'error',
        problem: 'has no annotations.title',
        fix: expect.stringContaining('add annotations.title') as string,
      },
    ])
  })
})

describe('names', () => {
  it.each<[string, string[], string | undefined, string[]]>([
    ['in camel case', ['shelfSearchBooks'], undefined, ['name 0']],
    ['with hyphens', ['shelf-search-books', 'shelf_get_book'], 'shelf_mcp', ['name 0']],
    ['of two words', ['shelf_search'], undefined, ['name 0']],
    ['that two tools share', ['shelf_get_book', 'shelf_get_book'], undefined, ['duplicate 1']],
    [
      'of another service',
      ['shelf_get_book', 'shelf_list_books', 'books_get_book'],
      undefined,
      ['prefix 2'],
    ],
    [
      'of another service than most, if the server is named for a few',
      ['shelf_get_book', 'books_list_books', 'books_get_book'],
      'shelf_mcp',
      ['prefix 1', 'prefix 2'],
    ],
    [
      'without a service, if most begin with the same action',
      ['get_book_title', 'get_reader_name', 'delete_one_loan'],
      undefined,
      ['prefix all'],
    ],
    [
      'without a service, if all begin with the same action',
      ['get_book_title', 'get_reader_name'],
      undefined,
      [],
    ],
    ['without a service', ['shelf_get_book', 'get_book'], 'shelf_mcp', ['name 1', 'prefix 1']],
    [
      'of a service of two words',
      ['city_library_get_book', 'city_library_search_books'],
      'city_library_mcp',
      [],
    ],
    [
      'of a service of two words, without an object',
      ['city_library_get_book', 'city_library_search'],
      'city_library_mcp',
      ['warning: name 1'],
    ],
    [
      'of a longer service than that of the server name',
      ['city_library_get_book', 'city_get_map'],
      'city_mcp',
      [],
    ],
    [
      'of another service than that of the server name',
      ['books_get_book', 'books_list_books'],
      'shelf_mcp',
      ['service all'],
    ],
    [
      'without a common service',
      ['books_get_book', 'shelf_list_books'],
      'house_mcp',
      ['prefix all'],
    ],
    [
      'without a common service, if the server name is unknown',
      ['books_get_book', 'shelf_list_books'],
      undefined,
      ['prefix all'],
    ],
    ['of a server with an invalid name', ['shelf_get_book'], 'Shelf', ['server-name']],
  ])('have the expected findings: names %s', (_, names, server, expected) => {
    const lines = findingsOf(named(...names), server).map((each) =>
      brief(each)
        .replace(/ server name$/, '')
        .replace(/\$\.tools\[(\d+)\]\.name$/, '$1')
        .replace('$.tools', 'all'),
    )
    expect(lines).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['shelf_mcp', []],
    ['city_library_mcp', []],
    ['k8s_mcp', []],
    ['auth0_mcp', []],
    ['mcp_mcp', []],
    ['ipv6_mcp', []],
    ['shelf', ['server-name']],
    ['Shelf_mcp', ['server-name']],
    ['shelf-mcp', ['server-name']],
    ['shelfMcp', ['server-name']],
    ['_mcp', ['server-name']],
    ['', ['server-name']],
    ['shelf_v2_mcp', ['server-version']],
    ['shelf_2026_mcp', ['server-version']],
    ['shelf_20260314_mcp', ['server-version']],
    ['shelf_1_2_mcp', ['server-version']],
    ['shelf_mcp_v2', ['server-name', 'server-version']],
    ['shelf-mcp-1.2.0', ['server-name', 'server-version']],
    ['route_53_mcp', ['warning: server-version']],
    ['shelfv2_mcp', ['warning: server-version']],
    ['shelf2026_mcp', ['warning: server-version']],
  ])('of servers have the expected findings: "%s"', (name, expected) => {
    expect(found([], name)).toEqual(expected.map((rule) => `${rule} server name`))
  })
})

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
    const start = performance.now()
    expect(withField({ $ref: '#/$defs/d0', $defs: {} })).toContain('input-schema .extra.$ref')
    expect(
      after((tool) => {
        Object.assign(tool.inputSchema, { $defs: { ...$defs, d60: { type: 'string' } } })
        tool.inputSchema.properties.extra = { $ref: '#/$defs/d0' }
      }),
    ).toEqual([])
    expect(() => withField(deep)).not.toThrow()
    expect(performance.now() - start).toBeLessThan(5000)
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

  it('need a default, and must not be required, because a default then has no effect', () => {
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
