import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import {
  beforeValidation,
  fault,
  onMessage,
  onRequest,
  replaceRules,
  type MakeToolsDeviation,
} from './building.ts'

type Arguments = Record<string, unknown>

/**
 * Replaces the arguments of a tool, or of every tool if `tool` is `any`, before they are validated.
 * If `change` returns undefined, the arguments are not changed.
 */
const changeArguments = (
  tool: string,
  change: (args: Arguments) => Arguments | undefined,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    validate(one, args, choices) {
      const changed =
        isObject(args) && (tool === 'any' || one.name === `shelf_${tool}`)
          ? change({ ...args })
          : undefined
      if (changed !== undefined) hit()
      return defaultRules.validate(one, changed ?? args, choices)
    },
  }))

/** Refuses the arguments of a tool for which `isRefused` returns true. */
const refuseArguments = (
  tool: string,
  isRefused: (args: Arguments) => boolean,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    validate(one, args, choices) {
      if (one.name !== `shelf_${tool}` || !isObject(args) || !isRefused(args))
        return defaultRules.validate(one, args, choices)
      hit()
      return { problems: ['this server does not accept it'] }
    },
  }))

/** Replaces the value of one argument if `isWrong` returns true for it. */
const replaceArgument = (
  tool: string,
  field: string,
  isWrong: (value: unknown) => boolean,
  replacement: (value: unknown) => unknown,
): MakeToolsDeviation =>
  changeArguments(tool, (args) =>
    isWrong(args[field]) ? { ...args, [field]: replacement(args[field]) } : undefined,
  )

const isString = (value: unknown): value is string => typeof value === 'string'
const isAbsent = (value: unknown): boolean => value === undefined

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
    'Returns Markdown from a search for an unknown format.',
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
    'Returns JSON from a search for an unknown format.',
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
    'Returns JSON from a search for the format JSON in capitals.',
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
    'Returns the format that the session requested last if no format is requested.',
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

/** Faults in which invalid input is accepted. */
const accepted: readonly ToolsFault[] = [
  fault(
    'missing-book-is-the-first',
    'Returns the first book if the identifier is missing.',
    ['TOOL-INVALID-01'],
    replaceArgument('get_book', 'id', isAbsent, () => 'b-001'),
  ),
  fault(
    'missing-reader-is-the-first',
    'Creates a loan for the first reader if the reader is missing.',
    ['TOOL-INVALID-01'],
    replaceArgument('create_loan', 'reader_id', isAbsent, () => 'r-001'),
  ),
  fault(
    'objects-become-strings',
    'Converts a query that is not a string to a string.',
    ['TOOL-INVALID-02'],
    replaceArgument(
      'search_books',
      'query',
      (query) => query !== undefined && !isString(query),
      (query) => JSON.stringify(query),
    ),
  ),
  fault(
    'a-string-is-a-list-of-one',
    'Accepts a string as a list of one tag.',
    ['TOOL-INVALID-02'],
    replaceArgument('search_books', 'tags', isString, (tags) => [tags]),
  ),
  fault(
    'an-object-is-an-empty-list',
    'Ignores tags that are an object.',
    ['TOOL-INVALID-02'],
    replaceArgument(
      'search_books',
      'tags',
      (tags) => typeof tags === 'object' && !Array.isArray(tags),
      () => undefined,
    ),
  ),
  fault(
    'fractions-are-truncated',
    'Truncates fractions of days.',
    ['TOOL-INVALID-02'],
    replaceArgument(
      'create_loan',
      'days',
      (days) => typeof days === 'number' && !Number.isInteger(days),
      (days) => Math.max(1, Math.trunc(Number(days))),
    ),
  ),
  fault(
    'words-for-numbers-are-ignored',
    'Ignores a limit that is not a number.',
    ['TOOL-INVALID-02'],
    replaceArgument(
      'list_readers',
      'limit',
      (limit) => limit !== undefined && typeof limit !== 'number',
      () => undefined,
    ),
  ),
  fault(
    'long-strings-are-truncated',
    'Truncates a query that is too long.',
    ['TOOL-INVALID-03'],
    replaceArgument(
      'search_books',
      'query',
      (query) => isString(query) && query.length > 200,
      (query) => String(query).slice(0, 200),
    ),
  ),
  fault(
    'short-strings-are-accepted',
    'Accepts queries of one letter.',
    ['TOOL-INVALID-03'],
    replaceArgument(
      'search_books',
      'query',
      (query) => isString(query) && query.length === 1,
      (query) => `${String(query)}he`,
    ),
  ),
  fault(
    'tags-are-of-any-length',
    'Accepts tags of any length.',
    ['TOOL-INVALID-03'],
    replaceArgument(
      'search_books',
      'tags',
      (tags) =>
        Array.isArray(tags) &&
        tags.some((tag) => isString(tag) && (tag.length === 0 || tag.length > 30)),
      () => ['sea'],
    ),
  ),
  fault(
    'one-day-more-is-accepted',
    'Accepts a loan of 61 days.',
    ['TOOL-INVALID-04'],
    replaceArgument(
      'create_loan',
      'days',
      (days) => days === 61,
      () => 60,
    ),
  ),
  fault(
    'zero-days-are-accepted',
    'Accepts a loan of 0 days.',
    ['TOOL-INVALID-04'],
    replaceArgument(
      'create_loan',
      'days',
      (days) => days === 0,
      () => 1,
    ),
  ),
  fault(
    'lists-clamp-larger-limits',
    'Treats limits above 100 as 100 in lists.',
    ['TOOL-INVALID-04'],
    replaceArgument(
      'list_readers',
      'limit',
      (limit) => Number(limit) > 100,
      () => 100,
    ),
  ),
  fault(
    'unknown-topic-is-loans',
    'Returns the rules on loans for an unknown topic.',
    ['TOOL-INVALID-05'],
    replaceArgument(
      'read_rules',
      'topic',
      (topic) => isString(topic) && !['loans', 'quiet', 'returns'].includes(topic),
      () => 'loans',
    ),
  ),
  fault(
    'topics-may-be-in-capitals',
    'Accepts a listed value in capitals.',
    ['TOOL-INVALID-05'],
    replaceArgument(
      'read_rules',
      'topic',
      (topic) => isString(topic) && topic !== topic.toLowerCase(),
      (topic) => String(topic).toLowerCase(),
    ),
  ),
  fault(
    'unknown-shelf-is-all',
    'Counts the whole inventory if the aisle is unknown.',
    ['TOOL-INVALID-05'],
    replaceArgument(
      'report_inventory',
      'aisle',
      (aisle) => isString(aisle) && !['all', 'A', 'B', 'C', 'D'].includes(aisle),
      () => 'all',
    ),
  ),
  fault(
    'pattern-is-not-anchored',
    'Accepts identifiers with a prefix or a suffix.',
    ['TOOL-INVALID-06'],
    replaceArgument('get_book', 'id', isString, (id) => /b-\d{3}/.exec(String(id))?.[0] ?? id),
  ),
  fault(
    'unknown-readers-are-the-first',
    'Updates the first reader for an invalid identifier.',
    ['TOOL-INVALID-06'],
    replaceArgument(
      'update_reader',
      'id',
      (id) => isString(id) && !/^r-\d{3}$/.test(id),
      () => 'r-001',
    ),
  ),
  fault(
    'more-tags-are-truncated',
    'Uses the first ten tags if there are more than ten.',
    ['TOOL-INVALID-07'],
    replaceArgument(
      'search_books',
      'tags',
      (tags) => Array.isArray(tags) && tags.length > 10,
      (tags) => (tags as unknown[]).slice(0, 10),
    ),
  ),
  fault(
    'more-tags-are-ignored',
    'Ignores tags if there are more than ten.',
    ['TOOL-INVALID-07'],
    replaceArgument(
      'search_books',
      'tags',
      (tags) => Array.isArray(tags) && tags.length > 10,
      () => undefined,
    ),
  ),
]

/** Faults in which values of another type are converted to integers. */
const converted: readonly ToolsFault[] = [
  fault(
    'true-is-one',
    'Accepts the limit true as 1.',
    ['TOOL-INVALID-12'],
    replaceArgument(
      'any',
      'limit',
      (limit) => limit === true,
      () => 1,
    ),
  ),
  fault(
    'null-is-the-default',
    'Uses the default limit if the limit is null.',
    ['TOOL-INVALID-12'],
    replaceArgument(
      'list_readers',
      'limit',
      (limit) => limit === null,
      () => 20,
    ),
  ),
]

const topicForm = {
  type: 'object',
  properties: { topic: { type: 'string', description: 'A topic.', maxLength: 60 } },
}

/** Asks the user before the input of the recommendation is validated, if `isAsked` returns true. */
const askBeforeValidation = (isAsked: (args: Arguments) => boolean): MakeToolsDeviation =>
  beforeValidation(async (call, next, hit) => {
    if (
      call.tool.name.endsWith('recommend_book') &&
      isObject(call.rawArguments) &&
      isAsked(call.rawArguments)
    ) {
      hit()
      await call.client.elicit('Which topic should the book be about?', topicForm)
    }
    return next()
  })

const late: readonly ToolsFault[] = [
  fault(
    'user-is-asked-before-validation',
    'Asks the user for a topic before it validates the number of books.',
    ['TOOL-INVALID-13'],
    askBeforeValidation(({ count }) => count !== undefined),
  ),
  fault(
    'user-is-asked-before-a-large-number-is-refused',
    'Asks the user for a topic before it refuses a number of books that is too large.',
    ['TOOL-INVALID-13'],
    askBeforeValidation(({ count }) => Number(count) > 5),
  ),
  fault(
    'validation-follows-the-upstream-request',
    'Sends a request to its upstream before it validates the input.',
    ['TOOL-INVALID-08'],
    beforeValidation(async (call, next, hit) => {
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
    'identifiers-are-validated-by-the-upstream',
    'Sends an invalid identifier to its upstream before it validates it.',
    ['TOOL-INVALID-08'],
    beforeValidation(async (call, next, hit) => {
      if (!call.tool.name.endsWith('get_book') || !isObject(call.rawArguments)) return next()
      const { id } = call.rawArguments
      if (typeof id !== 'string' || /^b-\d{3}$/.test(id)) return next()
      hit()
      await call.server.upstream.request('GET', `/books/${encodeURIComponent(id)}`)
      return next()
    }),
  ),
]

/** Refuses invalid input with a JSON-RPC error that has this code. */
const refuseWith =
  (code: number): MakeToolsDeviation =>
  (hit) => ({
    ...onMessage((response, { method }) => {
      const { error } = response
      return method === 'tools/call' && isObject(error)
        ? { ...response, error: { ...error, code } }
        : response
    })(hit),
    choices: { invalidInput: 'error' },
  })

const codes: readonly ToolsFault[] = [
  fault(
    'invalid-input-is-an-internal-error',
    'Returns the error code -32603 for invalid input.',
    ['TOOL-INVALID-11'],
    refuseWith(-32_603),
  ),
  fault(
    'invalid-input-is-an-invalid-request',
    'Returns the error code -32600 for invalid input.',
    ['TOOL-INVALID-11'],
    refuseWith(-32_600),
  ),
]

/** Faults in arguments and in their validation. */
export const input: readonly ToolsFault[] = [
  ...common,
  ...accepted,
  ...converted,
  ...late,
  ...codes,
]
