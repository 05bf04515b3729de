import { isAbsent, isString, replaceArgument } from './arguments.ts'
import { fault } from './building.ts'
import type { ToolsFault } from './fault.ts'

/** Faults in which invalid input is accepted. */
export const acceptedInput: readonly ToolsFault[] = [
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
    'capital-letters-are-small',
    'Accepts the identifier of a reader in capital letters.',
    ['TOOL-INVALID-06'],
    replaceArgument(
      'update_reader',
      'id',
      (id) => isString(id) && /^R-\d{3}$/.test(id),
      (id) => String(id).toLowerCase(),
    ),
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

/** Faults in which values of another type are converted to integers or strings. */
export const convertedInput: readonly ToolsFault[] = [
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
  fault(
    'number-is-a-query',
    'Accepts a number as the query.',
    ['TOOL-INVALID-12'],
    replaceArgument('search_books', 'query', (query) => typeof query === 'number', String),
  ),
]
