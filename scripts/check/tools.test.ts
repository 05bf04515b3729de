import { describe, expect, it } from 'vitest'
import * as contract from '../../generated/tools/index.ts'
import type { Validator } from '../../generated/contract.ts'
import { readToolSchemas } from '../generate/tools.ts'
import { checkTools, readGoldenTools } from './tools.ts'

const validators = contract as unknown as { [name: string]: Validator<unknown> }
// What is changed in the tests is whatever the file has: its own schema says what that is, and is what is tested here.
const golden = (file: string): any =>
  structuredClone(readGoldenTools().find((each) => each.file === `${file}.json`)!.value)
/** The keywords that a value breaks. */
const broken = (schema: string, value: unknown) => {
  const validate = validators[`validate${schema}`]!
  return validate(value) ? [] : [...new Set((validate.errors ?? []).map(({ keyword }) => keyword))]
}
const changed = (file: string, change: (value: any) => void) => {
  const value = golden(file)
  change(value)
  return value
}
const tool = (change: (value: any) => void) => changed('ToolDefinition.flat', change)
const page = (change: (value: any) => void) => changed('PaginationResult.first', change)

it('finds nothing wrong with the schemas and the golden examples as they are', () => {
  expect(checkTools()).toEqual([])
})

it.each(readGoldenTools())(
  '$file keeps the generated validator of $schema',
  ({ schema, value }) => {
    expect(broken(schema, value)).toEqual([])
  },
)

describe.each<[string, [string, unknown, string][]]>([
  [
    'ServerName',
    [
      ['upper case', 'Shelf_mcp', 'pattern'],
      ['a hyphen', 'shelf-mcp', 'pattern'],
      ['no _mcp', 'shelf', 'pattern'],
      ['a version', 'shelf_v2_mcp', 'not'],
      ['a year', 'shelf_2026_mcp', 'not'],
      ['a version in two parts', 'shelf_1_2_mcp', 'not'],
      ['no text', 7, 'type'],
    ],
  ],
  [
    'ToolName',
    [
      ['two parts', 'search_books', 'pattern'],
      ['camel case', 'shelfSearchBooks', 'pattern'],
      ['a part that is empty', 'shelf__books_all', 'pattern'],
      ['a digit first', '1shelf_get_book', 'pattern'],
    ],
  ],
  [
    'ToolAnnotations',
    [
      [
        'no hint',
        changed('ToolAnnotations.writing', (value) => {
          delete value.openWorldHint
        }),
        'required',
      ],
      [
        'a hint that is a text',
        changed('ToolAnnotations.writing', (value) => {
          value.readOnlyHint = 'no'
        }),
        'type',
      ],
      [
        'a title of spaces',
        changed('ToolAnnotations.writing', (value) => {
          value.title = '  '
        }),
        'pattern',
      ],
    ],
  ],
  ['JsonType', [['a type that is none', 'text', 'enum']]],
  [
    'InputField',
    [
      ['no type', { description: 'a' }, 'anyOf'],
      ['no description', { type: 'boolean' }, 'anyOf'],
      ['an empty description', { type: 'boolean', description: '' }, 'pattern'],
      ['a string without bounds', { type: 'string', description: 'a' }, 'if'],
      ['a number without bounds', { type: 'integer', description: 'a' }, 'if'],
      ['an array without bounds', { type: 'array', description: 'a' }, 'if'],
    ],
  ],
  [
    'InputSchema',
    [
      ['no object', { type: 'array' }, 'const'],
      ['no type', { properties: {} }, 'required'],
      ['properties in a list', { type: 'object', properties: [] }, 'type'],
      ['the same name twice in required', { type: 'object', required: ['a', 'a'] }, 'uniqueItems'],
    ],
  ],
  [
    'ToolDefinition',
    [
      [
        'no annotations',
        tool((value) => {
          delete value.annotations
        }),
        'required',
      ],
      [
        'a description of nothing',
        tool((value) => {
          value.description = ' '
        }),
        'pattern',
      ],
      [
        'a name without a service',
        tool((value) => {
          value.name = 'search_books'
        }),
        'pattern',
      ],
      [
        'an input without a schema',
        tool((value) => {
          value.inputSchema = null
        }),
        'type',
      ],
      [
        'a field without bounds',
        tool((value) => {
          delete value.inputSchema.properties.query.minLength
          delete value.inputSchema.properties.query.maxLength
        }),
        'if',
      ],
    ],
  ],
  ['ResponseFormat', [['another form', 'html', 'enum']]],
  [
    'Limit',
    [
      ['none', 0, 'minimum'],
      ['too many', 101, 'maximum'],
      ['a part', 1.5, 'type'],
    ],
  ],
  [
    'Offset',
    [
      ['before the first', -1, 'minimum'],
      ['a part', 0.5, 'type'],
    ],
  ],
  [
    'CommonInput',
    [
      ['a limit that is a text', { limit: '20' }, 'type'],
      ['another form', { response_format: 'text' }, 'enum'],
      ['an offset before the first', { offset: -1 }, 'minimum'],
    ],
  ],
  [
    'SearchInput',
    [
      ['no query', {}, 'required'],
      ['a query of one letter', { query: 'a' }, 'minLength'],
      ['a query of 201 letters', { query: 'a'.repeat(201) }, 'maxLength'],
      ['eleven tags', { query: 'ab', tags: Array.from({ length: 11 }, String) }, 'maxItems'],
      ['a limit of 101', { query: 'ab', limit: 101 }, 'maximum'],
    ],
  ],
  [
    'PaginationResult',
    [
      [
        'no total',
        page((value) => {
          delete value.total
        }),
        'required',
      ],
      [
        'items that are no array',
        page((value) => {
          value.books = {}
        }),
        'not',
      ],
      [
        'no items at all',
        page((value) => {
          delete value.books
        }),
        'not',
      ],
      [
        'more, and no next offset',
        page((value) => {
          value.next_offset = null
        }),
        'if',
      ],
      [
        'a next offset, and no more',
        page((value) => {
          value.has_more = false
        }),
        'if',
      ],
      [
        'a count below nothing',
        page((value) => {
          value.count = -1
        }),
        'minimum',
      ],
      [
        'a text for has_more',
        page((value) => {
          value.has_more = 'yes'
        }),
        'type',
      ],
    ],
  ],
  [
    'Truncation',
    [
      ['no truth', { truncated: false, truncation_message: 'use offset' }, 'const'],
      ['no message', { truncated: true }, 'required'],
      [
        'a message that helps nobody',
        { truncated: true, truncation_message: 'too long' },
        'pattern',
      ],
    ],
  ],
  [
    'ErrorText',
    [
      ['other words', 'Failed: no such book', 'pattern'],
      ['an error later on', 'There was an Error: no', 'pattern'],
    ],
  ],
])('%s', (schema, cases) => {
  it.each(cases)('refuses %s', (_, value, keyword) => {
    expect(broken(schema, value)).toContain(keyword)
  })
})

it.each<[string, (schemas: any) => void, RegExp]>([
  [
    'a schema without a golden example',
    (schemas) => {
      schemas.Extra = {
        ...schemas.Limit,
        $id: 'https://touchstone.example/tools/Extra.json',
        title: 'Extra',
      }
    },
    /Extra: has no golden example/,
  ],
  [
    'a schema that users cannot find',
    (schemas) => {
      schemas.Limit.$id = 'Limit.json'
    },
    /Limit: has another \$id/,
  ],
  [
    'an example that breaks its schema',
    (schemas) => {
      schemas.Offset.examples = [-1]
    },
    /Offset, example 1: .*>= 0/,
  ],
  [
    'a golden example that breaks its schema',
    (schemas) => {
      schemas.Limit.maximum = 50
      schemas.Limit.examples = [20]
    },
    /Limit\.largest\.json: .*<= 50/,
  ],
  [
    'a member without a description',
    (schemas) => {
      delete schemas.Truncation.properties.truncated.description
    },
    /Truncation: does not describe truncated/,
  ],
  [
    'a keyword that is none',
    (schemas) => {
      schemas.Limit.maximun = 3
    },
    /maximun/,
  ],
])('names %s', (_, change, expected) => {
  const schemas = readToolSchemas()
  change(schemas)
  expect(checkTools(schemas).join('\n')).toMatch(expected)
})
