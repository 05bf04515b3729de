import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import {
  changeArguments,
  isAbsent,
  isString,
  refuseArguments,
  replaceArgument,
} from './arguments.ts'
import { fault, onRequest, replaceRules } from './building.ts'
import type { ToolsFault } from './fault.ts'
import { acceptedInput, convertedInput } from './accepted-input.ts'
import { inputErrorCodes, lateValidation } from './late-validation.ts'

/** Faults in those arguments of the mock's search tool that every search tool has. */
const common: readonly ToolsFault[] = [
  fault(
    'search-returns-json-by-default',
    'Returns JSON from a search if no format is requested.',
    ['TOOL-FORMAT-02'],
    replaceArgument('search_books', 'response_format', isAbsent, () => 'json'),
  ),
  fault(
    'default-format-is-another-markdown',
    'Omits the last line of a search result if no format is requested.',
    ['TOOL-FORMAT-02'],
    onRequest(async (call, next, hit) => {
      const result = await next()
      const [part] = result.content
      if (
        !call.tool.name.endsWith('search_books') ||
        (isObject(call.rawArguments) && 'response_format' in call.rawArguments) ||
        part?.text === undefined
      )
        return result
      hit()
      return {
        ...result,
        content: [{ ...part, text: part.text.split('\n').slice(0, -1).join('\n') }],
      }
    }),
  ),
  fault(
    'another-format-is-markdown',
    'Returns Markdown from a search that requests an unknown format.',
    ['TOOL-FORMAT-03'],
    replaceArgument(
      'search_books',
      'response_format',
      (format) => isString(format) && format !== 'json',
      () => 'markdown',
    ),
  ),
  fault(
    'another-format-is-json',
    'Returns JSON from a search that requests an unknown format.',
    ['TOOL-FORMAT-03'],
    replaceArgument(
      'search_books',
      'response_format',
      (format) => isString(format) && format !== 'markdown',
      () => 'json',
    ),
  ),
  fault(
    'formats-may-be-in-capitals',
    'Returns JSON from a search that requests the format in capitals, as JSON.',
    ['TOOL-FORMAT-03'],
    replaceArgument(
      'search_books',
      'response_format',
      (format) => format === 'JSON',
      () => 'json',
    ),
  ),
  fault(
    'one-tool-returns-json-by-default',
    'Returns JSON from a list of readers if no format is requested.',
    ['TOOL-FORMAT-02'],
    replaceArgument('list_readers', 'response_format', isAbsent, () => 'json'),
  ),
  fault(
    'last-format-is-the-default',
    'If no format is requested, returns the format that the session requested last.',
    ['TOOL-FORMAT-02'],
    (hit) => {
      const last = new WeakMap<object, unknown>()
      return onRequest((call, next) => {
        const { session, args, rawArguments } = call
        if (isObject(rawArguments) && 'response_format' in rawArguments)
          last.set(session, args['response_format'])
        else if (last.get(session) === 'json') {
          hit()
          args['response_format'] = 'json'
        }
        return next()
      })(hit)
    },
  ),

  fault(
    'default-limit-is-ten',
    'Returns ten items if no limit is given.',
    ['TOOL-LIMIT-02'],
    replaceArgument('search_books', 'limit', isAbsent, () => 10),
  ),
  fault(
    'default-limit-of-readers-is-one',
    'Lists one reader if no limit is given.',
    ['TOOL-LIMIT-02'],
    replaceArgument('list_readers', 'limit', isAbsent, () => 1),
  ),
  fault(
    'default-limit-of-markdown-is-ten',
    'Returns ten items in Markdown if no limit is given.',
    ['TOOL-LIMIT-02'],
    changeArguments('search_books', (args) =>
      isAbsent(args['limit']) && args['response_format'] !== 'json'
        ? { ...args, limit: 10 }
        : undefined,
    ),
  ),
  fault(
    'default-limit-with-tags-is-three',
    'Returns three items if no limit is given in a search with tags.',
    ['TOOL-LIMIT-02'],
    changeArguments('search_books', (args) =>
      isAbsent(args['limit']) && Array.isArray(args['tags']) ? { ...args, limit: 3 } : undefined,
    ),
  ),
  fault(
    'default-limit-is-nineteen',
    'Returns 19 items if no limit is given.',
    ['TOOL-LIMIT-02'],
    replaceArgument('search_books', 'limit', isAbsent, () => 19),
  ),
  fault(
    'limit-one-is-refused',
    'Refuses a limit of 1.',
    ['TOOL-LIMIT-03'],
    refuseArguments('search_books', ({ limit }) => limit === 1),
  ),
  fault(
    'limit-hundred-is-refused',
    'Refuses limits of 100 and more.',
    ['TOOL-LIMIT-03'],
    refuseArguments('search_books', ({ limit }) => Number(limit) >= 100),
  ),
  fault(
    'report-refuses-limit-one',
    'Refuses a limit of 1 in the report of the inventory.',
    ['TOOL-LIMIT-03'],
    refuseArguments('report_inventory', ({ limit }) => limit === 1),
  ),
  fault(
    'list-refuses-limit-hundred',
    'Refuses a limit of 100 in the list of readers.',
    ['TOOL-LIMIT-03'],
    refuseArguments('list_readers', ({ limit }) => limit === 100),
  ),
  fault(
    'list-refuses-offset-0',
    'Refuses the offset 0 in the list of readers if a call contains it.',
    ['TOOL-OFFSET-03'],
    refuseArguments('list_readers', ({ offset }) => offset === 0),
  ),
  fault(
    'limit-zero-is-accepted',
    'Treats a limit of 0 as 1.',
    ['TOOL-LIMIT-03'],
    replaceArgument(
      'search_books',
      'limit',
      (limit) => limit === 0,
      () => 1,
    ),
  ),
  fault(
    'larger-limits-are-clamped',
    'Treats limits above 100 as 100.',
    ['TOOL-LIMIT-03'],
    replaceArgument(
      'search_books',
      'limit',
      (limit) => Number(limit) > 100,
      () => 100,
    ),
  ),
  fault(
    'pages-have-one-item-too-many',
    'Returns one item more than the limit.',
    ['TOOL-LIMIT-04'],
    replaceRules((_rules, hit) => ({
      pageOf(all, limit, offset) {
        hit()
        return defaultRules.pageOf(all, limit + 1, offset)
      },
    })),
  ),
  fault(
    'lists-have-pages-of-ten-at-least',
    'Returns ten readers if the limit is lower.',
    ['TOOL-LIMIT-04'],
    replaceArgument(
      'list_readers',
      'limit',
      (limit) => Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) < 10,
      () => 10,
    ),
  ),
  fault(
    'search-has-pages-of-ten-at-least',
    'Returns ten items if the limit is lower.',
    ['TOOL-LIMIT-04'],
    replaceArgument(
      'search_books',
      'limit',
      (limit) => Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) < 10,
      () => 10,
    ),
  ),

  fault(
    'default-offset-is-one',
    'Begins with the second item if no offset is given.',
    ['TOOL-OFFSET-02'],
    replaceArgument('search_books', 'offset', isAbsent, () => 1),
  ),
  fault(
    'default-offset-is-twenty',
    'Begins with the second page if no offset is given.',
    ['TOOL-OFFSET-02'],
    replaceArgument('search_books', 'offset', isAbsent, () => 20),
  ),
  fault(
    'offset-0-is-refused',
    'Refuses the offset 0 if a call contains it.',
    ['TOOL-OFFSET-03'],
    refuseArguments('search_books', ({ offset }) => offset === 0),
  ),
  fault(
    'longest-query-is-refused',
    'Refuses a query of 200 characters, which the schema allows.',
    ['TOOL-INVALID-10'],
    refuseArguments('search_books', ({ query }) => String(query).length === 200),
  ),
  fault(
    'lengths-of-queries-are-in-bytes',
    'Counts the length of a query in bytes.',
    ['TOOL-INVALID-10'],
    refuseArguments('search_books', ({ query }) => Buffer.byteLength(String(query)) > 200),
  ),
  fault(
    'ten-tags-are-refused',
    'Refuses ten tags, which the schema allows.',
    ['TOOL-INVALID-10'],
    refuseArguments('search_books', ({ tags }) => Array.isArray(tags) && tags.length === 10),
  ),
  fault(
    'a-listed-aisle-is-refused',
    'Refuses an aisle that the schema lists.',
    ['TOOL-INVALID-10'],
    refuseArguments('report_inventory', ({ aisle }) => aisle === 'D'),
  ),
  fault(
    'a-listed-topic-is-refused',
    'Refuses a topic that the schema lists.',
    ['TOOL-INVALID-10'],
    refuseArguments('read_rules', ({ topic }) => topic === 'returns'),
  ),
  fault(
    'negative-offset-is-the-first',
    'Treats negative offsets as 0.',
    ['TOOL-OFFSET-03'],
    replaceArgument(
      'search_books',
      'offset',
      (offset) => Number(offset) < 0,
      () => 0,
    ),
  ),
  fault(
    'negative-offset-counts-from-the-end',
    'Counts negative offsets from the end.',
    ['TOOL-OFFSET-03'],
    replaceArgument(
      'search_books',
      'offset',
      (offset) => Number(offset) < 0,
      (offset) => 60 + Number(offset),
    ),
  ),
]

/** Faults in arguments and in their validation. */
export const input: readonly ToolsFault[] = [
  ...common,
  ...acceptedInput,
  ...convertedInput,
  ...lateValidation,
  ...inputErrorCodes,
]
