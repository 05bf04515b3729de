import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { listMark, headingMark } from '../../../../mocks/stateful/tools/kit/markdown.ts'
import { JsonRpcError } from '../../../../mocks/stateful/tools/protocol.ts'
import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFactor } from './variation.ts'

const refusePastTheEnd: ToolsRules['pageOf'] = (all, limit, offset) => {
  if (offset > 0 && offset >= all.length)
    throw new JsonRpcError(-32602, `offset has to be below ${all.length}`)
  return defaultRules.pageOf(all, limit, offset)
}

const namesOnly: ToolsRules['itemMarkdown'] = (item, kind, depth, rules, choices) =>
  `${depth === 0 ? `${headingMark(0, choices)} ` : `${listMark(0, choices)} `}${rules.formatName(kind.title(item), kind.id(item))}`

/** The Markdown of an item with all its members. */
const markdownOfAllMembers: ToolsRules['itemMarkdown'] = (item, kind, depth, rules, choices) =>
  [
    defaultRules.itemMarkdown(item, kind, depth, rules, choices),
    ...Object.entries(item).map(
      ([name, value], at) =>
        `${listMark(at, choices)} ${name}: ${isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)}`,
    ),
  ].join('\n')

/** Characters of two UTF-16 code units each. */
const books = '📚📚📚📚📚'

/** Choices that the document leaves for pages, truncation and formats. */
export const pages: readonly ToolsFactor[] = [
  {
    requirement: 'TOOL-PAGE-08',
    name: 'pages past the end',
    values: [
      { name: 'empty', description: 'Returns an empty page past the end.' },
      {
        name: 'refused',
        description: 'Refuses an offset past the end.',
        deviation: { rules: { pageOf: refusePastTheEnd } },
      },
    ],
  },
  {
    requirement: 'TOOL-PAGE-09',
    name: 'arrays of a page',
    values: [
      {
        name: 'one, named after its content',
        description: 'Names the array of a page after its content.',
      },
      {
        name: 'one, with the name items',
        description: 'Names the array of a page `items`.',
        deviation: {
          rules: {
            pageFields: (page, kind) => defaultRules.pageFields(page, { ...kind, plural: 'items' }),
          },
        },
      },
      {
        name: 'items and a second array',
        notCombined: true,
        description: 'Names the array of a page `items`, and returns another array as well.',
        deviation: {
          rules: {
            pageFields: (page, kind) => ({
              notes: ['sorted by title'],
              ...defaultRules.pageFields(page, { ...kind, plural: 'items' }),
            }),
          },
        },
      },
    ],
  },
  {
    requirement: 'TOOL-TRUNCATION-06',
    name: 'truncated Markdown results',
    values: [
      {
        name: 'marked',
        description: 'Reports in Markdown that a result is truncated, and how to continue.',
      },
      {
        name: 'not marked',
        description: 'Does not report in Markdown that a result is truncated.',
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
    name: 'unit of length',
    values: [
      { name: 'UTF-16 code units', description: 'Measures lengths in UTF-16 code units.' },
      {
        name: 'code points',
        description:
          'Measures lengths in code points, and returns many characters of two code units.',
        deviation: {
          rules: {
            lengthOf: (text) => [...text].length,
            formatJson: (value, choices) =>
              defaultRules.formatJson(value, choices).replaceAll('Cover', books),
          },
        },
      },
      {
        name: 'bytes',
        notCombined: true,
        description: 'Measures lengths in bytes.',
        deviation: { rules: { lengthOf: (text) => Buffer.byteLength(text) } },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-05',
    name: 'fields in Markdown results',
    values: [
      { name: 'all except long ones', description: 'Omits long members of items in Markdown.' },
      {
        name: 'only names',
        description: 'Returns only the names of items in Markdown.',
        deviation: { rules: { itemMarkdown: namesOnly } },
      },
      {
        name: 'all',
        notCombined: true,
        description: 'Returns all members of items in Markdown.',
        deviation: { rules: { itemMarkdown: markdownOfAllMembers } },
        unmet: ['TOOL-MARKDOWN-07'],
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-01',
    name: 'headings in Markdown',
    values: [
      { name: 'first level', description: 'Begins with a header of the first level.' },
      {
        name: 'second level',
        description: 'Begins with a header of the second level.',
        choices: { markdownHeaders: '##' },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-02',
    name: 'lists in Markdown',
    values: [
      { name: 'dashes', description: 'Begins list items with a dash.' },
      {
        name: 'stars',
        notCombined: true,
        description: 'Begins list items with an asterisk.',
        choices: { markdownLists: '*' },
      },
      {
        name: 'numbers',
        description: 'Numbers list items.',
        choices: { markdownLists: '1.' },
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-03',
    name: 'times in Markdown',
    values: [
      { name: 'with names of months', description: 'Writes times with names of months.' },
      {
        name: 'in digits',
        notCombined: true,
        description: 'Writes times in digits.',
        choices: { times: 'short' },
      },
      {
        name: 'in digits, month first',
        description: 'Writes times with the month first.',
        choices: { times: 'american' },
      },
      {
        name: 'ISO 8601',
        notCombined: true,
        description: 'Writes times as in JSON.',
        deviation: { rules: { formatTime: (iso) => iso } },
        unmet: ['TOOL-MARKDOWN-07'],
      },
    ],
  },
  {
    requirement: 'TOOL-MARKDOWN-04',
    name: 'names in Markdown',
    values: [
      {
        name: 'with ids in parentheses',
        description: 'Writes an identifier in parentheses after a name.',
      },
      {
        name: 'in bold, with ids as code',
        description: 'Writes names in bold and identifiers as code.',
        deviation: { rules: { formatName: (title, id) => `**${title}** (\`${id}\`)` } },
      },
      {
        name: 'with the label ID',
        notCombined: true,
        description: 'Labels identifiers with "ID".',
        deviation: { rules: { formatName: (title, id) => `${title} (ID: ${id})` } },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'indentation of json',
    values: [
      { name: 'two spaces', description: 'Indents JSON by two spaces.' },
      { name: 'none', description: 'Writes JSON without spaces.', choices: { indent: 0 } },
    ],
  },
  {
    requirement: 'none',
    name: 'order of members',
    values: [
      { name: 'natural', description: 'Writes members in the order of the document.' },
      {
        name: 'reversed',
        description: 'Writes members in reverse order.',
        choices: { keyOrder: 'reversed' },
      },
    ],
  },
  {
    requirement: 'none',
    name: 'further members',
    values: [
      { name: 'none', description: 'Returns only members that the document defines.' },
      {
        name: 'some',
        description: 'Returns further members.',
        choices: { extraFields: true },
      },
    ],
  },
]
