import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import { before, fault, onRequest, replaceRules, type MakeToolsDeviation } from './building.ts'

type Given = Record<string, unknown>

/** Takes other arguments in place of those that came for a tool, and validates them; nothing given back leaves them. */
const takes = (tool: string, change: (given: Given) => Given | undefined): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    validate(one, given, choices) {
      const changed =
        isObject(given) && (tool === 'any' || one.name === `shelf_${tool}`)
          ? change({ ...given })
          : undefined
      if (changed !== undefined) hit()
      return defaultRules.validate(one, changed ?? given, choices)
    },
  }))

/** Refuses what it does not like of a tool's arguments. */
const refuses = (tool: string, dislikes: (given: Given) => boolean): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    validate(one, given, choices) {
      if (one.name !== `shelf_${tool}` || !isObject(given) || !dislikes(given))
        return defaultRules.validate(one, given, choices)
      hit()
      return { problems: ['this server does not like it'] }
    },
  }))

/** Takes a field's value for another, where it is one of those. */
const takesFor = (
  tool: string,
  field: string,
  isWrong: (value: unknown) => boolean,
  right: (value: unknown) => unknown,
): MakeToolsDeviation =>
  takes(tool, (given) =>
    isWrong(given[field]) ? { ...given, [field]: right(given[field]) } : undefined,
  )

const isText = (value: unknown): value is string => typeof value === 'string'
const isAbsent = (value: unknown): boolean => value === undefined

/** Common fields of the search. */
const common: readonly ToolsFault[] = [
  fault(
    'search-answers-in-json-by-default',
    'Answers a search in json where no format is asked for.',
    ['TOOL-FORMAT-02'],
    takesFor('search_books', 'response_format', isAbsent, () => 'json'),
  ),
  fault(
    'default-format-is-another-markdown',
    'Leaves the last line of a search out where no format is asked for.',
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
    'Answers a search in markdown where a format is asked for that it does not know.',
    ['TOOL-FORMAT-03'],
    takesFor(
      'search_books',
      'response_format',
      (format) => isText(format) && format !== 'json',
      () => 'markdown',
    ),
  ),
  fault(
    'another-format-is-json',
    'Answers a search in json where a format is asked for that it does not know.',
    ['TOOL-FORMAT-03'],
    takesFor(
      'search_books',
      'response_format',
      (format) => isText(format) && format !== 'markdown',
      () => 'json',
    ),
  ),

  fault(
    'default-limit-is-ten',
    'Gives ten items where no limit is asked for.',
    ['TOOL-LIMIT-02'],
    takesFor('search_books', 'limit', isAbsent, () => 10),
  ),
  fault(
    'default-limit-is-nineteen',
    'Gives 19 items where no limit is asked for.',
    ['TOOL-LIMIT-02'],
    takesFor('search_books', 'limit', isAbsent, () => 19),
  ),
  fault(
    'limit-one-is-refused',
    'Refuses a limit of 1.',
    ['TOOL-LIMIT-03'],
    refuses('search_books', ({ limit }) => limit === 1),
  ),
  fault(
    'limit-hundred-is-refused',
    'Refuses limits from 100 on.',
    ['TOOL-LIMIT-03'],
    refuses('search_books', ({ limit }) => Number(limit) >= 100),
  ),
  fault(
    'limit-zero-is-taken',
    'Takes a limit of 0 for 1.',
    ['TOOL-LIMIT-03'],
    takesFor(
      'search_books',
      'limit',
      (limit) => limit === 0,
      () => 1,
    ),
  ),
  fault(
    'larger-limits-are-cut',
    'Takes limits above 100 for 100.',
    ['TOOL-LIMIT-03'],
    takesFor(
      'search_books',
      'limit',
      (limit) => Number(limit) > 100,
      () => 100,
    ),
  ),
  fault(
    'pages-have-one-item-too-many',
    'Gives one item more than the limit.',
    ['TOOL-LIMIT-04'],
    replaceRules((_rules, hit) => ({
      page(all, limit, offset) {
        hit()
        return defaultRules.page(all, limit + 1, offset)
      },
    })),
  ),
  fault(
    'search-has-pages-of-ten-at-least',
    'Gives ten items where fewer are asked for.',
    ['TOOL-LIMIT-04'],
    takesFor(
      'search_books',
      'limit',
      (limit) => Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) < 10,
      () => 10,
    ),
  ),

  fault(
    'default-offset-is-one',
    'Begins with the second item where no offset is asked for.',
    ['TOOL-OFFSET-02'],
    takesFor('search_books', 'offset', isAbsent, () => 1),
  ),
  fault(
    'default-offset-is-twenty',
    'Begins with the second page where no offset is asked for.',
    ['TOOL-OFFSET-02'],
    takesFor('search_books', 'offset', isAbsent, () => 20),
  ),
  fault(
    'negative-offset-is-the-first',
    'Takes negative offsets for 0.',
    ['TOOL-OFFSET-03'],
    takesFor(
      'search_books',
      'offset',
      (offset) => Number(offset) < 0,
      () => 0,
    ),
  ),
  fault(
    'negative-offset-counts-from-the-end',
    'Takes negative offsets as counted from the end.',
    ['TOOL-OFFSET-03'],
    takesFor(
      'search_books',
      'offset',
      (offset) => Number(offset) < 0,
      (offset) => 60 + Number(offset),
    ),
  ),
]

/** Input that is taken although its schema forbids it. */
const taken: readonly ToolsFault[] = [
  fault(
    'missing-book-is-the-first',
    'Takes a call without an identifier for the first book.',
    ['TOOL-INVALID-01'],
    takesFor('get_book', 'id', isAbsent, () => 'b-001'),
  ),
  fault(
    'missing-reader-is-the-first',
    'Lends to the first reader where none is told.',
    ['TOOL-INVALID-01'],
    takesFor('create_loan', 'reader_id', isAbsent, () => 'r-001'),
  ),
  fault(
    'objects-become-texts',
    'Takes whatever is no text for a text.',
    ['TOOL-INVALID-02'],
    takesFor(
      'search_books',
      'query',
      (query) => query !== undefined && !isText(query),
      (query) => JSON.stringify(query),
    ),
  ),
  fault(
    'fractions-are-cut',
    'Takes fractions of days for whole ones.',
    ['TOOL-INVALID-02'],
    takesFor(
      'create_loan',
      'days',
      (days) => typeof days === 'number' && !Number.isInteger(days),
      (days) => Math.max(1, Math.trunc(Number(days))),
    ),
  ),
  fault(
    'words-for-numbers-are-passed-by',
    'Passes by a limit that is no number.',
    ['TOOL-INVALID-02'],
    takesFor(
      'list_readers',
      'limit',
      (limit) => limit !== undefined && typeof limit !== 'number',
      () => undefined,
    ),
  ),
  fault(
    'long-texts-are-cut',
    'Cuts queries that are too long.',
    ['TOOL-INVALID-03'],
    takesFor(
      'search_books',
      'query',
      (query) => isText(query) && query.length > 200,
      (query) => String(query).slice(0, 200),
    ),
  ),
  fault(
    'short-texts-are-taken',
    'Takes queries of one letter.',
    ['TOOL-INVALID-03'],
    takesFor(
      'search_books',
      'query',
      (query) => isText(query) && query.length === 1,
      (query) => `${String(query)}he`,
    ),
  ),
  fault(
    'tags-are-of-any-length',
    'Takes tags of any length.',
    ['TOOL-INVALID-03'],
    takesFor(
      'search_books',
      'tags',
      (tags) =>
        Array.isArray(tags) &&
        tags.some((tag) => isText(tag) && (tag.length === 0 || tag.length > 30)),
      () => ['sea'],
    ),
  ),
  fault(
    'one-day-more-is-taken',
    'Lends for 61 days.',
    ['TOOL-INVALID-04'],
    takesFor(
      'create_loan',
      'days',
      (days) => days === 61,
      () => 60,
    ),
  ),
  fault(
    'no-day-is-taken',
    'Lends for no day.',
    ['TOOL-INVALID-04'],
    takesFor(
      'create_loan',
      'days',
      (days) => days === 0,
      () => 1,
    ),
  ),
  fault(
    'lists-cut-larger-limits',
    'Takes limits above 100 for 100 in lists.',
    ['TOOL-INVALID-04'],
    takesFor(
      'list_readers',
      'limit',
      (limit) => Number(limit) > 100,
      () => 100,
    ),
  ),
  fault(
    'unknown-topic-is-loans',
    'Tells the rules on loans for topics that there are not.',
    ['TOOL-INVALID-05'],
    takesFor(
      'read_rules',
      'topic',
      (topic) => isText(topic) && !['loans', 'quiet', 'returns'].includes(topic),
      () => 'loans',
    ),
  ),
  fault(
    'unknown-row-is-all',
    'Counts all rows where one is asked for that there is not.',
    ['TOOL-INVALID-05'],
    takesFor(
      'report_inventory',
      'row',
      (row) => isText(row) && !['all', 'A', 'B', 'C', 'D'].includes(row),
      () => 'all',
    ),
  ),
  fault(
    'pattern-is-sought-within',
    'Takes identifiers with more at their end.',
    ['TOOL-INVALID-06'],
    takesFor('get_book', 'id', isText, (id) => /b-\d{3}/.exec(String(id))?.[0] ?? id),
  ),
  fault(
    'unknown-readers-are-the-first',
    'Changes the first reader where the identifier is none.',
    ['TOOL-INVALID-06'],
    takesFor(
      'update_reader',
      'id',
      (id) => isText(id) && !/^r-\d{3}$/.test(id),
      () => 'r-001',
    ),
  ),
  fault(
    'more-tags-are-cut',
    'Takes the first ten of more tags.',
    ['TOOL-INVALID-07'],
    takesFor(
      'search_books',
      'tags',
      (tags) => Array.isArray(tags) && tags.length > 10,
      (tags) => (tags as unknown[]).slice(0, 10),
    ),
  ),
  fault(
    'more-tags-are-passed-by',
    'Searches without tags where there are too many.',
    ['TOOL-INVALID-07'],
    takesFor(
      'search_books',
      'tags',
      (tags) => Array.isArray(tags) && tags.length > 10,
      () => undefined,
    ),
  ),
]

const late: readonly ToolsFault[] = [
  fault(
    'validation-comes-after-the-upstream',
    'Asks its upstream before it looks at the input.',
    ['TOOL-INVALID-08'],
    before(async (call, next, hit) => {
      if (
        call.tool.name.endsWith('get_book') &&
        isObject(call.rawArguments) &&
        !/^b-\d{3}$/.test(String(call.rawArguments['id']))
      ) {
        hit()
        await call.server.upstream.request('GET', '/readers').catch(() => {})
      }
      return next()
    }),
  ),
  fault(
    'identifiers-are-left-to-the-upstream',
    'Leaves it to its upstream to find no book for what is no identifier.',
    ['TOOL-INVALID-08'],
    before(async (call, next, hit) => {
      if (!call.tool.name.endsWith('get_book') || !isObject(call.rawArguments)) return next()
      const { id } = call.rawArguments
      if (typeof id !== 'string' || /^b-\d{3}$/.test(id)) return next()
      hit()
      await call.server.upstream.request('GET', `/books/${encodeURIComponent(id)}`)
      return next()
    }),
  ),
]

/** What becomes of arguments. */
export const input: readonly ToolsFault[] = [...common, ...taken, ...late]
