import { describe, expect, it } from 'vitest'
import { after, found, sample, named, type Loose } from './findings.testing.ts'
import { findingsOf } from './index.ts'

describe('the definitions of tools', () => {
  it('have no findings if they are the samples, flat or nested', () => {
    expect(found([sample('flat'), sample('destructive')], 'shelf_mcp')).toEqual([])
    expect(found([sample('nested'), sample('destructive')], 'shelf_mcp')).toEqual([])
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
      ['description-content $.tools[0].description'],
    ],
    [
      'the words of the name as description, without the service',
      (tool) => {
        tool.name = 'shelf_get_book'
        tool.description = 'Get book.'
      },
      ['description-content $.tools[0].description'],
    ],
    [
      'a sentence that contains only the name',
      (tool) => {
        tool.description = `This tool is called ${tool.name}.`
      },
      ['description-content $.tools[0].description'],
    ],
    [
      'a sentence that contains only forms of the words of the name',
      (tool) => {
        tool.name = 'shelf_get_book'
        tool.description = 'Gets the books from a shelf.'
      },
      ['description-content $.tools[0].description'],
    ],
    [
      'a short description with another word',
      (tool) => {
        tool.name = 'shelf_get_book'
        tool.description = 'Gets a book by its identifier.'
      },
      [],
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
      'readOnlyHint true, and neither destructiveHint nor idempotentHint',
      (tool) => {
        delete tool.annotations.destructiveHint
        delete tool.annotations.idempotentHint
      },
      [],
    ],
    [
      'readOnlyHint false, and neither destructiveHint nor idempotentHint',
      (tool) => {
        tool.annotations.readOnlyHint = false
        delete tool.annotations.destructiveHint
        delete tool.annotations.idempotentHint
      },
      ['destructiveHint $.tools[0].annotations', 'idempotentHint $.tools[0].annotations'],
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
      ['warning: title-content $.tools[0].annotations.title'],
    ],
    [
      'a part of the name as title',
      (tool) => {
        tool.annotations.title = 'search_books'
      },
      ['warning: title-content $.tools[0].annotations.title'],
    ],
    [
      'the name in capitals as title',
      (tool) => {
        tool.annotations.title = ` ${tool.name.toUpperCase()} `
      },
      ['warning: title-content $.tools[0].annotations.title'],
    ],
    [
      'a title of one word',
      (tool) => {
        tool.annotations.title = 'Search'
      },
      [],
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
  ])('with %s have the expected findings', (_, change, expected) => {
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
        problem: 'is not of the form <service>_<action>_<object> in snake_case',
        fix: 'rename it to shelf_get_book',
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

describe('descriptions of several tools', () => {
  const search = { ...sample('flat') }
  const text = 'Works with the data of the library, and returns Markdown or JSON.'
  const both = (description: string, other: Loose = sample('destructive')) =>
    found([
      { ...search, description },
      { ...other, description },
    ]).filter((line) => line.startsWith('description-content'))

  it('differ if the tools have different fields or hints', () => {
    expect(both(text)).toEqual([
      'description-content $.tools[0].description',
      'description-content $.tools[1].description',
    ])
  })

  it('may be the same for two names of one tool, or if they describe all tools by their names', () => {
    expect(both(text, { ...search, name: 'shelf_find_books' })).toEqual([])
    expect(both(`${search.name} searches, ${sample('destructive').name} deletes.`)).toEqual([])
  })
})
