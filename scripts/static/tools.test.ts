import { describe, expect, it } from 'vitest'
import * as contract from '../../generated/tools/index.ts'
import type { Validator } from '../../generated/contract.ts'
import { readToolSchemas } from '../generate/tools.ts'
import { checkTools, readSampleTools } from './tools.ts'

const validators = contract as unknown as { [name: string]: Validator<unknown> }
// The tests change examples in ways that no type allows.
const sample = (file: string): any =>
  structuredClone(readSampleTools().find((each) => each.file === `${file}.json`)!.value)
/** Returns the keywords of a schema that a value does not meet. */
const failedKeywords = (schema: string, value: unknown) => {
  const validate = validators[`validate${schema}`]!
  return validate(value) ? [] : [...new Set((validate.errors ?? []).map(({ keyword }) => keyword))]
}
const changed = (file: string, change: (value: any) => void) => {
  const value = sample(file)
  change(value)
  return value
}
const tool = (change: (value: any) => void) => changed('ToolDefinition.flat', change)
const page = (change: (value: any) => void) => changed('PaginationResult.first', change)

it('finds no problems in the schemas and the samples', () => {
  expect(checkTools()).toEqual([])
})

it.each(readSampleTools())(
  '$file passes the generated validator of $schema',
  ({ schema, value }) => {
    expect(failedKeywords(schema, value)).toEqual([])
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
      ['a number', 7, 'type'],
    ],
  ],
  [
    'ToolName',
    [
      ['two parts', 'search_books', 'pattern'],
      ['camel case', 'shelfSearchBooks', 'pattern'],
      ['an empty part', 'shelf__books_all', 'pattern'],
      ['a leading digit', '1shelf_get_book', 'pattern'],
    ],
  ],
  [
    'ToolAnnotations',
    [
      [
        'a missing hint',
        changed('ToolAnnotations.writing', (value) => {
          delete value.openWorldHint
        }),
        'required',
      ],
      [
        'a hint that is a string',
        changed('ToolAnnotations.writing', (value) => {
          value.readOnlyHint = 'no'
        }),
        'type',
      ],
      [
        'a blank title',
        changed('ToolAnnotations.writing', (value) => {
          value.title = '  '
        }),
        'pattern',
      ],
    ],
  ],
  ['JsonType', [['an unknown type', 'text', 'enum']]],
  [
    'InputField',
    [
      ['no type', { description: 'a' }, 'anyOf'],
      ['no description', { type: 'boolean' }, 'anyOf'],
      ['an empty description', { type: 'boolean', description: '' }, 'pattern'],
      ['a string without bounds', { type: 'string', description: 'a' }, 'anyOf'],
      ['a number without bounds', { type: 'integer', description: 'a' }, 'anyOf'],
      ['an array without bounds', { type: 'array', description: 'a' }, 'anyOf'],
    ],
  ],
  [
    'InputSchema',
    [
      ['a type other than object', { type: 'array' }, 'const'],
      ['no type', { properties: {} }, 'required'],
      ['properties in an array', { type: 'object', properties: [] }, 'type'],
      ['a duplicate name in required', { type: 'object', required: ['a', 'a'] }, 'uniqueItems'],
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
        'a blank description',
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
        'anyOf',
      ],
    ],
  ],
  ['ResponseFormat', [['an unknown format', 'html', 'enum']]],
  [
    'Limit',
    [
      ['zero', 0, 'minimum'],
      ['too many', 101, 'maximum'],
      ['a fraction', 1.5, 'type'],
    ],
  ],
  [
    'Offset',
    [
      ['a negative number', -1, 'minimum'],
      ['a fraction', 0.5, 'type'],
    ],
  ],
  [
    'CommonInput',
    [
      ['a limit that is a string', { limit: '20' }, 'type'],
      ['an unknown format', { response_format: 'text' }, 'enum'],
      ['a negative offset', { offset: -1 }, 'minimum'],
    ],
  ],
  [
    'SearchInput',
    [
      ['a query of one character', { query: 'a' }, 'minLength'],
      ['a query of 201 characters', { query: 'a'.repeat(201) }, 'maxLength'],
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
        'items that are not an array',
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
        'has_more without next_offset',
        page((value) => {
          value.next_offset = null
        }),
        'if',
      ],
      [
        'next_offset without has_more',
        page((value) => {
          value.has_more = false
        }),
        'if',
      ],
      [
        'a negative count',
        page((value) => {
          value.count = -1
        }),
        'minimum',
      ],
      [
        'a string for has_more',
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
      ['truncated: false', { truncated: false, truncation_message: 'use offset' }, 'const'],
      ['no message', { truncated: true }, 'required'],
      ['a message without advice', { truncated: true, truncation_message: 'too long' }, 'pattern'],
    ],
  ],
  [
    'ErrorMessage',
    [
      ['another prefix', 'Failed: no such book', 'pattern'],
      ['a prefix that is not at the start', 'There was an Error: no', 'pattern'],
    ],
  ],
])('%s', (schema, cases) => {
  it.each(cases)('refuses %s', (_, value, keyword) => {
    expect(failedKeywords(schema, value)).toContain(keyword)
  })
})

it.each<[string, (schemas: any) => void, RegExp]>([
  [
    'a schema without a sample',
    (schemas) => {
      schemas.Extra = {
        ...schemas.Limit,
        $id: 'https://touchstone.example/tools/Extra.json',
        title: 'Extra',
      }
    },
    /Extra: has no sample/,
  ],
  [
    'a relative $id',
    (schemas) => {
      schemas.Limit.$id = 'Limit.json'
    },
    /Limit: has an \$id that does not match/,
  ],
  [
    'an example that does not match its schema',
    (schemas) => {
      schemas.Offset.examples = [-1]
    },
    /Offset, example 1: .*>= 0/,
  ],
  [
    'a sample that does not match its schema',
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
    /Truncation: has no description of truncated/,
  ],
  [
    'an unknown keyword',
    (schemas) => {
      schemas.Limit.maximun = 3
    },
    /maximun/,
  ],
])('reports %s', (_, change, expected) => {
  const schemas = readToolSchemas()
  change(schemas)
  expect(checkTools(schemas).join('\n')).toMatch(expected)
})
