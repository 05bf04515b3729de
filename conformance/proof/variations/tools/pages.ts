import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { bullet, header } from '../../../../mocks/stateful/tools/kit/markdown.ts'
import { JsonRpcError } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFactor } from './variation.ts'

const refusesPastTheEnd: ToolsRules['page'] = (all, limit, offset) => {
  if (offset > 0 && offset >= all.length)
    throw new JsonRpcError(-32602, `offset has to be below ${all.length}`)
  return defaultRules.page(all, limit, offset)
}

const namesOnly: ToolsRules['itemMarkdown'] = (item, kind, depth, rules, choices) =>
  `${depth === 0 ? `${header(0, choices)} ` : `${bullet(0, choices)} `}${rules.name(kind.title(item), kind.id(item))}`

/** Every member of an item, with what stands in it. */
const everything: ToolsRules['itemMarkdown'] = (item, kind, depth, rules, choices) =>
  [
    defaultRules.itemMarkdown(item, kind, depth, rules, choices),
    ...Object.entries(item).map(
      ([name, value], at) =>
        `${bullet(at, choices)} ${name}: ${isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)}`,
    ),
  ].join('\n')

/** As many code points as units, and as many more. */
const books = '📚📚📚📚📚'

/** What the document leaves open of pages, of what is cut short, and of both formats. */
export const pages: readonly ToolsFactor[] = [
  {
    row: 'TOOL-PAGE-08',
    factor: 'pages past the end',
    levels: [
      { name: 'empty', says: 'Has an empty page past the end.' },
      {
        name: 'refused',
        says: 'Refuses an offset past the end.',
        deviation: { rules: { page: refusesPastTheEnd } },
      },
    ],
  },
  {
    row: 'TOOL-PAGE-09',
    factor: 'name of the array',
    levels: [
      { name: 'by its content', says: 'Names the array after what it holds.' },
      {
        name: 'items',
        says: 'Names the array items.',
        deviation: {
          rules: {
            fields: (page, kind) => defaultRules.fields(page, { ...kind, plural: 'items' }),
          },
        },
      },
      {
        name: 'items, beside another',
        alone: true,
        says: 'Names the array items, and has another one beside it.',
        deviation: {
          rules: {
            fields: (page, kind) => ({
              notes: ['sorted by title'],
              ...defaultRules.fields(page, { ...kind, plural: 'items' }),
            }),
          },
        },
      },
    ],
  },
  {
    row: 'TOOL-TRUNCATION-06',
    factor: 'markdown that is cut short',
    levels: [
      { name: 'told', says: 'Tells in markdown that a result is cut short, and how to go on.' },
      {
        name: 'not told',
        says: 'Keeps silent in markdown on what was cut off.',
        deviation: {
          rules: {
            pageMarkdown: ({ truncation_message: _, ...page }, ...rest) =>
              defaultRules.pageMarkdown(page, ...rest),
          },
        },
      },
    ],
  },
  {
    row: 'TOOL-TRUNCATION-01',
    factor: 'what a character is',
    levels: [
      { name: 'a unit of UTF-16', says: 'Counts units of UTF-16.' },
      {
        name: 'a code point',
        says: 'Counts code points, and has many that take two units.',
        deviation: {
          rules: {
            lengthOf: (text) => [...text].length,
            json: (value, choices) => defaultRules.json(value, choices).replaceAll('Cover', books),
          },
        },
      },
      {
        name: 'a byte',
        alone: true,
        says: 'Counts bytes.',
        deviation: { rules: { lengthOf: (text) => Buffer.byteLength(text) } },
      },
    ],
  },
  {
    row: 'TOOL-MARKDOWN-05',
    factor: 'what markdown shows of an item',
    levels: [
      { name: 'some', says: 'Leaves long members of items out of markdown.' },
      {
        name: 'its name',
        says: 'Shows nothing of items in markdown but their names.',
        deviation: { rules: { itemMarkdown: namesOnly } },
      },
      {
        name: 'everything',
        alone: true,
        says: 'Shows all members of items in markdown.',
        deviation: { rules: { itemMarkdown: everything } },
      },
    ],
  },
  {
    row: 'TOOL-MARKDOWN-01',
    factor: 'headers of markdown',
    levels: [
      { name: 'from the first', says: 'Begins with headers of the first level.' },
      {
        name: 'from the second',
        says: 'Begins with headers of the second level.',
        choices: { markdownHeaders: '##' },
      },
    ],
  },
  {
    row: 'TOOL-MARKDOWN-02',
    factor: 'lists of markdown',
    levels: [
      { name: 'dashes', says: 'Begins entries of lists with a dash.' },
      {
        name: 'stars',
        alone: true,
        says: 'Begins entries of lists with a star.',
        choices: { markdownLists: '*' },
      },
      { name: 'numbers', says: 'Numbers the entries of lists.', choices: { markdownLists: '1.' } },
    ],
  },
  {
    row: 'TOOL-MARKDOWN-03',
    factor: 'times of markdown',
    levels: [
      { name: 'long', says: 'Writes the names of months.' },
      { name: 'short', alone: true, says: 'Writes times in digits.', choices: { times: 'short' } },
      { name: 'american', says: 'Writes the month first.', choices: { times: 'american' } },
      {
        name: 'ISO 8601',
        alone: true,
        says: 'Writes times as they stand in json.',
        deviation: { rules: { time: (iso) => iso } },
      },
    ],
  },
  {
    row: 'TOOL-MARKDOWN-04',
    factor: 'names of markdown',
    levels: [
      { name: 'plain', says: 'Writes an identifier in parentheses behind a name.' },
      {
        name: 'marked',
        says: 'Writes names in bold, and identifiers as code.',
        deviation: { rules: { name: (title, id) => `**${title}** (\`${id}\`)` } },
      },
      {
        name: 'with a word',
        alone: true,
        says: 'Says in the parentheses that it is an identifier.',
        deviation: { rules: { name: (title, id) => `${title} (ID: ${id})` } },
      },
    ],
  },
  {
    row: 'form',
    factor: 'indentation of json',
    levels: [
      { name: 'two spaces', says: 'Indents json by two spaces.' },
      { name: 'none', says: 'Writes json without spaces.', choices: { indent: 0 } },
    ],
  },
  {
    row: 'form',
    factor: 'order of members',
    levels: [
      { name: 'natural', says: 'Writes members in the order of the document.' },
      { name: 'reversed', says: 'Writes members backwards.', choices: { keyOrder: 'reversed' } },
    ],
  },
  {
    row: 'form',
    factor: 'further members',
    levels: [
      { name: 'none', says: 'Writes no members that the document does not know.' },
      {
        name: 'some',
        says: 'Writes members that the document does not know.',
        choices: { extraFields: true },
      },
    ],
  },
]
