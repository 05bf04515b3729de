const input = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest })

/** A tool, with arguments that its guard accepts and arguments that it refuses. */
export interface TypedExample {
  name: string
  description?: string
  inputSchema?: unknown
  outputSchema?: unknown
  accepted: readonly unknown[]
  refused: readonly unknown[]
}

/** Definitions with unusual names, dialects and keywords. */
export const examples: readonly TypedExample[] = [
  {
    name: 'get-sum',
    description: 'Adds two numbers. Ends a comment: */ alert(1) /*',
    inputSchema: input({ a: { type: 'number' }, b: { type: 'number' } }, { required: ['a', 'b'] }),
    outputSchema: input({ sum: { type: 'number' } }, { required: ['sum'] }),
    accepted: [{ a: 1, b: 2 }],
    refused: [{ a: 1 }, { a: 1, b: '2' }, null, [1, 2]],
  },
  { name: 'get_sum', accepted: [{}, { any: 1 }], refused: ['text', null] },
  {
    name: '2 größe.ändern',
    inputSchema: input({ 'größe-x': { type: 'string', minLength: 2 } }, { required: ['größe-x'] }),
    accepted: [{ 'größe-x': '👍👍' }],
    refused: [{ 'größe-x': '👍' }, {}],
  },
  { name: '✓✓', inputSchema: { type: 'object' }, accepted: [{}], refused: [1] },
  {
    name: 'tuple_of_draft_07',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...input(
        {
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
          node: { $ref: '#/definitions/node' },
        },
        { definitions: { node: input({ next: { $ref: '#/definitions/node' } }) } },
      ),
    },
    accepted: [{ pair: ['a', 1], node: { next: { next: {} } } }],
    refused: [{ pair: [1, 'a'] }, { node: { next: 1 } }],
  },
  {
    name: 'tuple_of_2020',
    inputSchema: input({
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    }),
    accepted: [{ pair: ['a', 1] }],
    refused: [{ pair: ['a', 1, 2] }],
  },
  {
    name: 'tree',
    inputSchema: input({ children: { type: 'array', items: { $ref: '#' } }, size: { const: 3 } }),
    accepted: [{ children: [{ children: [] }], size: 3 }],
    refused: [{ children: [{ size: 4 }] }],
  },
  {
    name: 'values',
    inputSchema: input(
      {
        one: { enum: ['a', null, 7] },
        other: { const: { deep: [1, 2] } },
        either: { anyOf: [{ type: 'string' }, input({ id: { type: 'integer' } })] },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
        tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 2 },
        word: { type: 'string', pattern: '^\\p{L}+$' },
        when: { type: 'string', format: 'date-time' },
        nothing: { type: ['string', 'null'] },
      },
      { additionalProperties: false },
    ),
    accepted: [
      { one: null, other: { deep: [1, 2] }, either: { id: 1 }, map: { x: true }, tags: ['a', 'b'] },
      { word: 'größe', when: 'no time, because formats are not examined', nothing: null },
    ],
    refused: [
      { one: 'b' },
      { other: { deep: [2, 1] } },
      { either: { id: 'x' } },
      { map: { x: 1 } },
      { tags: ['a', 'a'] },
      { word: 'x1' },
      { unknown: true },
    ],
  },
  {
    name: 'old_pattern',
    inputSchema: input({ word: { type: 'string', pattern: '^[\\w-.]+\\_$' } }),
    accepted: [{ word: 'a-b_' }],
    refused: [{ word: '!' }],
  },
  {
    name: '"];process.exit(9);//`${process.exit(9)}\u2028*/',
    description: '*/ process.exit(9) /* `${1}` \u2029 \\',
    inputSchema: input(
      {
        '"];process.exit(9);//': {
          type: 'string',
          enum: ['`${process.exit(9)}`', '*/ process.exit(9)', '\u2028process.exit(9)'],
          description: '*/ process.exit(9) //',
          default: '*/ process.exit(9) //',
          pattern: '/; process.exit(9); /',
        },
        __proto__x: {},
      },
      { title: '*/ process.exit(9) //' },
    ),
    accepted: [{}],
    refused: [{ '"];process.exit(9);//': 'x' }],
  },
]
