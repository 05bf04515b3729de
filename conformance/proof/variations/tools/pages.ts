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
    requirement: 'TOOL-PAGE-08',
    name: 'pages past the end',
    levels: [
      { name: 'empty', description: 'Has an empty page past the end.' },
      {
        name: 'refused',
        description: 'Refuses an offset past the end.',
        deviation: { rules: { page: refusesPastTheEnd } },
      },
    ],
  },
  {
    requirement: 'TOOL-PAGE-09',
    name: 'name of the array',
    levels: [
      { name: 'by its content', description: 'Names the array after what it holds.' },
      {
        name: 'items',
        description: 'Names the array items.',
        deviation: {
          rules: {
            fields: (page, kind) => defaultRules.fields(page, { ...kind, plural: 'items' }),
          },
        },
      },
      {
        name: 'items, beside another',
        notCombined: true,
        description: 'Names the array items, and has another one beside it.',
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
    requirement: 'TOOL-TRUNCATION-06',
    name: 'markdown that is cut short',
    levels: [
      {
        name: 'told',
        description: 'Tells in markdown that a result is cut short, and how to go on.',
      },
      {
        name: 'not told',
        description: 'Keeps silent in markdown on what was cut off.',
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
    requirement: 'TOOL-TRUNCATION-01',
    name: 'what a character is',
    levels: [
      { name: 'a unit of UTF-16', description: 'Counts units of UTF-16.' },
      {
        name: 'a code point',
        description: 'Counts code points, and has many that take two units.',
        deviation: {
          rules: {
            lengthOf: (text) => [...text].length,
            json: (value, choices) => defaultRules.json(value, choices).replaceAll('Cover', books),
          },
        },
      },
      {
        name: 'a byte',
        notCombined: true,
        description: 'Counts bytes.',
        deviation: { rules: { lengthOf: (text) => Buffer.byteLength(text) } },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-05',
    name: 'what markdown shows of an item',
    levels: [
      { name: 'some', description: 'Leaves long members of items out of markdown.' },
      {
        name: 'its name',
        description: 'Shows nothing of items in markdown but their names.',
        deviation: { rules: { itemMarkdown: namesOnly } },
      },
      {
        name: 'everything',
        notCombined: true,
        description: 'Shows all members of items in markdown.',
        deviation: { rules: { itemMarkdown: everything } },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-01',
    name: 'headers of markdown',
    levels: [
      { name: 'from the first', description: 'Begins with headers of the first level.' },
      {
        name: 'from the second',
        description: 'Begins with headers of the second level.',
        choices: { markdownHeaders: '##' },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-02',
    name: 'lists of markdown',
    levels: [
      { name: 'dashes', description: 'Begins entries of lists with a dash.' },
      {
        name: 'stars',
        notCombined: true,
        description: 'Begins entries of lists with a star.',
        choices: { markdownLists: '*' },
      },
      {
        name: 'numbers',
        description: 'Numbers the entries of lists.',
        choices: { markdownLists: '1.' },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-03',
    name: 'times of markdown',
    levels: [
      { name: 'long', description: 'Writes the names of months.' },
      {
        name: 'short',
        notCombined: true,
        description: 'Writes times in digits.',
        choices: { times: 'short' },
      },
      { name: 'american', description: 'Writes the month first.', choices: { times: 'american' } },
      {
        name: 'ISO 8601',
        notCombined: true,
        description: 'Writes times as they stand in json.',
        deviation: { rules: { time: (iso) => iso } },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-04',
    name: 'names of markdown',
    levels: [
      { name: 'plain', description: 'Writes an identifier in parentheses behind a name.' },
      {
        name: 'marked',
        description: 'Writes names in bold, and identifiers as code.',
        deviation: { rules: { name: (title, id) => `**${title}** (\`${id}\`)` } },
      },
      {
        name: 'with a word',
        notCombined: true,
        description: 'Says in the parentheses that it is an identifier.',
        deviation: { rules: { name: (title, id) => `${title} (ID: ${id})` } },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'indentation of json',
    levels: [
      { name: 'two spaces', description: 'Indents json by two spaces.' },
      { name: 'none', description: 'Writes json without spaces.', choices: { indent: 0 } },
    ],
  },
  {
    requirement: 'form',
    name: 'order of members',
    levels: [
      { name: 'natural', description: 'Writes members in the order of the document.' },
      {
        name: 'reversed',
        description: 'Writes members backwards.',
        choices: { keyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'form',
    name: 'further members',
    levels: [
      { name: 'none', description: 'Writes no members that the document does not know.' },
      {
        name: 'some',
        description: 'Writes members that the document does not know.',
        choices: { extraFields: true },
      },
    ],
  },
]
