import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import {
  fault,
  onJsonResult,
  onRequest,
  replaceRules,
  onText,
  type MakeToolsDeviation,
} from './building.ts'

type Members = Record<string, unknown>

/** Changes JSON pages of the search. */
const onSearchPage = (
  change: (page: Members, args: Members) => Members | undefined,
): MakeToolsDeviation =>
  onJsonResult((page, { tool, args }) =>
    tool.name === 'shelf_search_books' && 'total' in page ? change(page, args) : undefined,
  )

/** Changes the JSON result of shelf_get_book, which returns one book. */
const onBook = (change: (book: Members) => Members): MakeToolsDeviation =>
  onJsonResult((book, { tool }) => (tool.name === 'shelf_get_book' ? change(book) : undefined))

const n = (value: unknown): number => Number(value)
const omitMember = (page: Members, name: string): Members =>
  Object.fromEntries(Object.entries(page).filter(([one]) => one !== name))
const withoutMember = (items: unknown, name: string): Members[] =>
  (items as Members[]).map((item) => omitMember(item, name))
const isPastEnd = (page: Members): boolean => n(page['offset']) >= n(page['total'])
const isBooks = (all: readonly object[]): boolean => 'author' in (all[0] ?? {})

/**
 * On every page except the first, returns items from an offset other than the one that the page
 * states.
 */
const shiftItems = (
  by: number,
  isShifted: (all: readonly object[]) => boolean = () => true,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    pageOf(all, limit, offset) {
      const page = defaultRules.pageOf(all, limit, offset)
      if (!isBooks(all) || offset === 0 || !isShifted(all)) return page
      hit()
      const items = all.slice(offset + by, offset + by + limit)
      return {
        ...defaultRules.pageOf(all.slice(0, offset + items.length), limit, offset),
        items,
        total: all.length,
        has_more: all.length > offset + items.length,
        next_offset: all.length > offset + items.length ? offset + items.length : null,
      }
    },
  }))

/** For a query without vowels, which no book matches, finds the books that `isFound` selects. */
const findUnmatched = (isFound: (book: Parameters<ToolsRules['matchesQuery']>[0]) => boolean) =>
  replaceRules((_rules, hit) => ({
    matchesQuery(book, query, tags) {
      if (/[aeiou]/.test(query)) return defaultRules.matchesQuery(book, query, tags)
      hit()
      return isFound(book)
    },
  }))

/** Faults in the members and items of pages. */
export const pagesOfItems: readonly ToolsFault[] = [
  fault(
    'total-is-that-of-the-page',
    'Returns the number of items of the page as total.',
    ['TOOL-PAGE-01'],
    onSearchPage((page) => ({ ...page, total: page['count'], has_more: false, next_offset: null })),
  ),
  fault(
    'total-is-a-string',
    'Returns total as a string.',
    ['TOOL-PAGE-01'],
    onSearchPage((page) => ({ ...page, total: String(page['total']) })),
  ),
  fault(
    'total-is-missing',
    'Returns no total.',
    ['TOOL-PAGE-01'],
    onSearchPage((page) => omitMember(page, 'total')),
  ),
  fault(
    'total-is-one-too-small',
    'Returns a total that is one too small.',
    ['TOOL-PAGE-01', 'TOOL-PAGE-07'],
    onSearchPage((page) => {
      const [total, end] = [n(page['total']) - 1, n(page['offset']) + n(page['count'])]
      return { ...page, total, has_more: total > end, next_offset: total > end ? end : null }
    }),
  ),

  fault(
    'count-is-the-limit',
    'Returns the limit as count.',
    ['TOOL-PAGE-02'],
    onSearchPage((page, { limit }) => ({ ...page, count: limit })),
  ),
  fault(
    'count-is-one-too-large',
    'Returns a count that is one too large.',
    ['TOOL-PAGE-02'],
    onSearchPage((page) => ({ ...page, count: n(page['count']) + 1 })),
  ),

  fault(
    'offset-is-always-0',
    'Returns 0 as the offset of every page.',
    ['TOOL-PAGE-03'],
    onSearchPage((page) => ({ ...page, offset: 0 })),
  ),
  fault(
    'offset-of-other-lists-is-0',
    'Returns 0 as the offset of every page of the other tools that list.',
    ['TOOL-PAGE-03'],
    onJsonResult((page, { tool }) =>
      tool.name !== 'shelf_search_books' && n(page['offset']) > 0
        ? { ...page, offset: 0 }
        : undefined,
    ),
  ),
  fault(
    'offset-of-the-first-page-is-missing',
    'Returns no offset on the first page.',
    ['TOOL-PAGE-03'],
    onSearchPage((page) => (page['offset'] === 0 ? omitMember(page, 'offset') : page)),
  ),

  fault(
    'count-includes-earlier-pages',
    'Returns the number of items up to the end of the page as count.',
    ['TOOL-PAGE-02'],
    onSearchPage((page) =>
      page['offset'] === 0 ? undefined : { ...page, count: n(page['offset']) + n(page['count']) },
    ),
  ),
  fault(
    'items-past-the-end-are-null',
    'Returns null instead of an array of items for an offset past the end.',
    ['TOOL-PAGE-04'],
    onSearchPage((page) => (isPastEnd(page) ? { ...page, books: null } : undefined)),
  ),
  fault(
    'offset-past-the-end-returns-the-last-page',
    'Returns the last items for an offset past the end, with the requested offset.',
    // The offset plus the number of items then exceeds the total.
    ['TOOL-PAGE-01'],
    replaceRules((_rules, hit) => ({
      pageOf(all, limit, offset) {
        const page = defaultRules.pageOf(all, limit, offset)
        if (!isBooks(all) || offset < all.length) return page
        hit()
        const items = all.slice(-limit)
        return { ...page, items, count: items.length }
      },
    })),
  ),
  fault(
    'has-more-past-the-end',
    'Returns has_more true for an offset past the end.',
    ['TOOL-PAGE-05'],
    onSearchPage((page) => (isPastEnd(page) ? { ...page, has_more: true } : undefined)),
  ),
  fault(
    'next-offset-past-the-end-is-0',
    'Returns 0 as next_offset for an offset past the end.',
    ['TOOL-PAGE-06'],
    onSearchPage((page) => (isPastEnd(page) ? { ...page, next_offset: 0 } : undefined)),
  ),

  fault(
    'items-are-an-object',
    'Returns items as an object with identifiers as keys.',
    ['TOOL-PAGE-04'],
    onSearchPage(({ books, ...page }) => ({
      ...page,
      books: Object.fromEntries((books as { id: string }[]).map((book) => [book.id, book])),
    })),
  ),
  fault(
    'items-are-a-string',
    'Returns items as a JSON string.',
    ['TOOL-PAGE-04'],
    onSearchPage(({ books, ...page }) => ({ ...page, books: JSON.stringify(books) })),
  ),

  fault(
    'has-more-is-always-true',
    'Returns has_more true on every page.',
    ['TOOL-PAGE-05'],
    onSearchPage((page) => ({ ...page, has_more: true })),
  ),
  fault(
    'has-more-is-always-false',
    'Returns has_more false on every page.',
    ['TOOL-PAGE-05'],
    onSearchPage((page) => ({ ...page, has_more: false })),
  ),
  fault(
    'has-more-is-false-before-the-last-item',
    'Returns has_more false if only one item follows.',
    ['TOOL-PAGE-05'],
    onSearchPage((page) =>
      n(page['total']) === n(page['offset']) + n(page['count']) + 1
        ? { ...page, has_more: false }
        : undefined,
    ),
  ),
  fault(
    'has-more-ignores-the-offset',
    'Returns has_more true if total exceeds count.',
    ['TOOL-PAGE-05'],
    onSearchPage((page) => ({ ...page, has_more: n(page['total']) > n(page['count']) })),
  ),

  fault(
    'next-offset-is-one-too-large',
    'Returns a next_offset that skips an item.',
    ['TOOL-PAGE-06'],
    onSearchPage((page) =>
      page['next_offset'] === null ? page : { ...page, next_offset: n(page['next_offset']) + 1 },
    ),
  ),
  fault(
    'next-offset-is-missing-at-the-end',
    'Omits next_offset on the last page.',
    ['TOOL-PAGE-06'],
    onSearchPage((page) => (page['next_offset'] === null ? omitMember(page, 'next_offset') : page)),
  ),
  fault(
    'next-offset-is-minus-1-at-the-end',
    'Returns -1 as next_offset on the last page.',
    ['TOOL-PAGE-06'],
    onSearchPage((page) => ({ ...page, next_offset: page['next_offset'] ?? -1 })),
  ),

  fault(
    'item-is-lost-between-pages',
    'Begins every page but the first with the item after the right one.',
    ['TOOL-PAGE-07'],
    shiftItems(1),
  ),
  fault(
    'item-is-repeated-between-pages',
    'Begins every page but the first with the item before the right one.',
    ['TOOL-PAGE-07'],
    shiftItems(-1),
  ),

  fault(
    'single-items-begin-with-the-item-before',
    'Returns the item before the requested one if the limit is 1.',
    ['TOOL-PAGE-07'],
    replaceRules((_rules, hit) => ({
      pageOf(all, limit, offset) {
        const page = defaultRules.pageOf(all, limit, offset)
        if (!isBooks(all) || limit > 1 || offset === 0 || offset >= all.length) return page
        hit()
        return { ...page, items: all.slice(offset - 1, offset) }
      },
    })),
  ),
  fault(
    'total-with-tags-is-that-of-the-page',
    'Returns the number of items of the page as total in a search with tags.',
    ['TOOL-PAGE-01'],
    onSearchPage((page, { tags }) =>
      Array.isArray(tags) && tags.length > 0
        ? { ...page, total: page['count'], has_more: false, next_offset: null }
        : undefined,
    ),
  ),
  fault(
    'item-is-lost-between-pages-with-tags',
    'Loses an item between pages of a search that does not find every book.',
    ['TOOL-PAGE-07'],
    shiftItems(1, ({ length }) => length < 60),
  ),
  fault(
    'item-is-repeated-between-pages-with-tags',
    'Repeats an item between pages of a search that does not find every book.',
    ['TOOL-PAGE-07'],
    shiftItems(-1, ({ length }) => length < 60),
  ),
  fault(
    'offset-past-the-end-restarts',
    'Returns the first page for an offset past the end.',
    ['TOOL-PAGE-10'],
    replaceRules((_rules, hit) => ({
      pageOf(all, limit, offset) {
        if (!isBooks(all) || offset < all.length) return defaultRules.pageOf(all, limit, offset)
        hit()
        return defaultRules.pageOf(all, limit, 0)
      },
    })),
  ),
  fault(
    'offset-far-past-the-end-begins-at-the-last-item',
    'Begins with the last item for an offset far past the end.',
    ['TOOL-PAGE-10'],
    replaceRules((_rules, hit) => ({
      pageOf(all, limit, offset) {
        if (!isBooks(all) || offset < all.length + 5) return defaultRules.pageOf(all, limit, offset)
        hit()
        return defaultRules.pageOf(all, limit, all.length - 1)
      },
    })),
  ),

  fault(
    'json-is-a-bare-list',
    'Returns the items of a search as an array instead of an object that contains them.',
    ['TOOL-JSON-01'],
    onText((text, { tool, args }) =>
      tool.name === 'shelf_search_books' &&
      args['response_format'] === 'json' &&
      text.startsWith('{')
        ? JSON.stringify((JSON.parse(text) as Members)['books'])
        : text,
    ),
  ),
  fault(
    'json-is-in-a-fence',
    'Returns JSON in a Markdown code fence.',
    ['TOOL-JSON-01'],
    onText((text, { tool, args }) =>
      tool.name === 'shelf_search_books' && args['response_format'] === 'json'
        ? `\`\`\`json\n${text}\n\`\`\``
        : text,
    ),
  ),
  fault(
    'members-have-two-spellings',
    'Returns both has_more and hasMore.',
    ['TOOL-JSON-03'],
    onSearchPage((page) => ({ ...page, hasMore: page['has_more'] })),
  ),
  fault(
    'every-other-item-has-another-spelling',
    'Returns the field addedAt, not added_at, in every second item.',
    ['TOOL-JSON-03'],
    onSearchPage(({ books, ...page }) => ({
      ...page,
      books: (books as Members[]).map(({ added_at: added, ...book }, index) =>
        index % 2 === 0 ? { ...book, added_at: added } : { ...book, addedAt: added },
      ),
    })),
  ),

  fault(
    'search-without-matches-returns-everything',
    'Returns all books if no book matches.',
    ['TOOL-QUERY-03'],
    findUnmatched(() => true),
  ),
  fault(
    'search-without-matches-returns-the-suggestions',
    'Returns the books about the sea if no book matches.',
    ['TOOL-QUERY-03'],
    findUnmatched(({ tags }) => tags.includes('sea')),
  ),
  fault(
    'later-pages-name-their-items-otherwise',
    'Returns the items in another field on every page but the first.',
    ['TOOL-JSON-03'],
    onSearchPage(({ books, ...page }) =>
      n(page['offset']) === 0 ? undefined : { ...page, results: books },
    ),
  ),
  fault(
    'one-tool-has-another-spelling',
    'Returns the field addedAt, not added_at, for a single book.',
    ['TOOL-JSON-03'],
    onBook(({ added_at: added, ...book }) => ({ ...book, addedAt: added })),
  ),
  fault(
    'items-of-large-pages-are-brief',
    'Returns only identifiers and titles if the limit is more than 50.',
    ['TOOL-JSON-04'],
    onSearchPage((page, args) =>
      n(args['limit']) > 50
        ? {
            ...page,
            books: (page['books'] as Members[]).map(({ id, title }) => ({ id, title })),
          }
        : undefined,
    ),
  ),
  fault(
    'items-of-single-pages-have-a-note',
    'Returns an additional field for an item that is alone on its page.',
    ['TOOL-JSON-04'],
    onSearchPage((page) =>
      page['count'] === 1
        ? { ...page, books: (page['books'] as Members[]).map((book) => ({ ...book, note: '' })) }
        : undefined,
    ),
  ),
  fault(
    'search-has-no-summaries',
    'Omits the summaries of books in JSON pages of the search.',
    ['TOOL-JSON-06'],
    onSearchPage((page) => ({ ...page, books: withoutMember(page['books'], 'summary') })),
  ),
  fault(
    'single-books-have-no-copies',
    'Omits the number of copies of a single book in JSON.',
    ['TOOL-JSON-06'],
    onBook(({ copies: _, ...book }) => book),
  ),
  fault(
    'copies-of-single-books-are-strings',
    'Returns the number of copies of a single book as a string.',
    ['TOOL-JSON-06'],
    onBook((book) => ({ ...book, copies: String(book['copies']) })),
  ),
  fault(
    'times-of-single-books-are-words',
    'Returns the time of a single book in JSON in words.',
    ['TOOL-JSON-06'],
    onBook((book) => ({ ...book, added_at: new Date(String(book['added_at'])).toUTCString() })),
  ),
  fault(
    'json-has-no-author',
    'Omits the author of a single book in JSON.',
    ['TOOL-JSON-05'],
    onBook(({ author: _, ...book }) => book),
  ),
  fault(
    'json-has-initials-of-authors',
    'Shortens the first name of the author of a single book in JSON.',
    ['TOOL-JSON-05'],
    onBook((book) => ({
      ...book,
      author: String(book['author']).replace(/^(\p{L})\p{L}+/u, '$1'),
    })),
  ),
  fault(
    'search-in-json-has-no-authors',
    'Omits the authors of books from a search in JSON.',
    ['TOOL-JSON-05'],
    onSearchPage((page) => ({
      ...page,
      books: (page['books'] as Members[]).map(({ author: _, ...book }) => book),
    })),
  ),
  fault(
    'search-in-json-has-initials-of-authors',
    'Shortens the first names of authors in a search in JSON.',
    ['TOOL-JSON-05'],
    onSearchPage((page) => ({
      ...page,
      books: (page['books'] as Members[]).map((book) => ({
        ...book,
        author: String(book['author']).replace(/^(\p{L})\p{L}+/u, '$1'),
      })),
    })),
  ),
  fault(
    'one-tool-returns-markdown-for-json',
    'Always returns Markdown for a single book.',
    ['TOOL-JSON-01'],
    onRequest((call, next, hit) => {
      if (call.tool.name === 'shelf_get_book' && call.args['response_format'] === 'json') {
        hit()
        call.args['response_format'] = 'markdown'
      }
      return next()
    }),
  ),
  fault(
    'one-tool-returns-json-for-markdown',
    'Always returns JSON for a single book.',
    ['TOOL-FORMAT-02'],
    onRequest((call, next, hit) => {
      if (call.tool.name === 'shelf_get_book' && call.args['response_format'] === 'markdown') {
        hit()
        call.args['response_format'] = 'json'
      }
      return next()
    }),
  ),
  fault(
    'markdown-ignores-the-limit',
    'Shows at least 20 items in Markdown, even if the limit is lower.',
    ['TOOL-JSON-02'],
    onRequest((call, next, hit) => {
      if (
        call.tool.name === 'shelf_search_books' &&
        call.args['response_format'] === 'markdown' &&
        Number(call.args['limit']) < 20
      ) {
        hit()
        call.args['limit'] = 20
      }
      return next()
    }),
  ),
  fault(
    'markdown-lacks-the-last-item',
    'Omits the last item of a page in Markdown.',
    ['TOOL-JSON-02'],
    replaceRules((_rules, hit) => ({
      pageMarkdown(page, ...rest) {
        if (!isBooks(page.items)) return defaultRules.pageMarkdown(page, ...rest)
        hit()
        return defaultRules.pageMarkdown({ ...page, items: page.items.slice(0, -1) }, ...rest)
      },
    })),
  ),
  fault(
    'markdown-ignores-the-offset',
    'Always returns the first page in Markdown, and ignores the offset.',
    ['TOOL-JSON-02'],
    onRequest((call, next, hit) => {
      if (
        call.tool.name === 'shelf_search_books' &&
        call.args['response_format'] === 'markdown' &&
        call.args['offset'] !== 0
      ) {
        hit()
        call.args['offset'] = 0
      }
      return next()
    }),
  ),
]
