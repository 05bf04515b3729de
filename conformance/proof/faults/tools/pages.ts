import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import {
  fault,
  members,
  onRequest,
  replaceRules,
  texts,
  type MakeToolsDeviation,
} from './building.ts'

type Members = Record<string, unknown>

/** Changes pages of the search in json. */
const pages = (change: (page: Members, args: Members) => Members): MakeToolsDeviation =>
  members((page, { tool, args }) =>
    tool.name === 'shelf_search_books' && 'total' in page ? change(page, args) : undefined,
  )

const n = (value: unknown): number => Number(value)
const without = (page: Members, name: string): Members =>
  Object.fromEntries(Object.entries(page).filter(([one]) => one !== name))
const isBooks = (all: readonly object[]): boolean => 'author' in (all[0] ?? {})

/** Pages of the search that hold other items than their numbers say. */
const shifted = (by: number): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    page(all, limit, offset) {
      const page = defaultRules.page(all, limit, offset)
      if (!isBooks(all) || offset === 0) return page
      hit()
      const items = all.slice(offset + by, offset + by + limit)
      return {
        ...defaultRules.page(all.slice(0, offset + items.length), limit, offset),
        items,
        total: all.length,
        has_more: all.length > offset + items.length,
        next_offset: all.length > offset + items.length ? offset + items.length : null,
      }
    },
  }))

/** Pages in json with wrong numbers, or with other items than they ought to have. */
export const pagesOfItems: readonly ToolsFault[] = [
  fault(
    'total-is-that-of-the-page',
    'Tells as total how many items the page has.',
    ['TOOL-PAGE-01'],
    pages((page) => ({ ...page, total: page['count'], has_more: false, next_offset: null })),
  ),
  fault(
    'total-is-text',
    'Tells total as text.',
    ['TOOL-PAGE-01'],
    pages((page) => ({ ...page, total: String(page['total']) })),
  ),
  fault(
    'total-is-missing',
    'Tells no total.',
    ['TOOL-PAGE-01'],
    pages((page) => without(page, 'total')),
  ),
  fault(
    'total-is-one-too-small',
    'Counts one match too few.',
    ['TOOL-PAGE-01', 'TOOL-PAGE-07'],
    pages((page) => {
      const [total, end] = [n(page['total']) - 1, n(page['offset']) + n(page['count'])]
      return { ...page, total, has_more: total > end, next_offset: total > end ? end : null }
    }),
  ),

  fault(
    'count-is-the-limit',
    'Tells the limit as count.',
    ['TOOL-PAGE-02'],
    pages((page, { limit }) => ({ ...page, count: limit })),
  ),
  fault(
    'count-is-one-too-large',
    'Counts one item too many.',
    ['TOOL-PAGE-02'],
    pages((page) => ({ ...page, count: n(page['count']) + 1 })),
  ),

  fault(
    'offset-is-always-0',
    'Tells 0 as the offset of every page.',
    ['TOOL-PAGE-03'],
    pages((page) => ({ ...page, offset: 0 })),
  ),
  fault(
    'offset-of-the-first-page-is-missing',
    'Tells no offset on the first page.',
    ['TOOL-PAGE-03'],
    pages((page) => (page['offset'] === 0 ? without(page, 'offset') : page)),
  ),

  fault(
    'items-are-an-object',
    'Gives items as an object whose members are their identifiers.',
    ['TOOL-PAGE-04'],
    pages(({ books, ...page }) => ({
      ...page,
      books: Object.fromEntries((books as { id: string }[]).map((book) => [book.id, book])),
    })),
  ),
  fault(
    'items-are-a-text',
    'Gives items as JSON in a text.',
    ['TOOL-PAGE-04'],
    pages(({ books, ...page }) => ({ ...page, books: JSON.stringify(books) })),
  ),

  fault(
    'has-more-is-always-true',
    'Says of every page that there is more.',
    ['TOOL-PAGE-05'],
    pages((page) => ({ ...page, has_more: true })),
  ),
  fault(
    'has-more-is-always-false',
    'Says of every page that it is the last.',
    ['TOOL-PAGE-05'],
    pages((page) => ({ ...page, has_more: false })),
  ),
  fault(
    'has-more-forgets-the-offset',
    'Says that there is more where total exceeds count.',
    ['TOOL-PAGE-05'],
    pages((page) => ({ ...page, has_more: n(page['total']) > n(page['count']) })),
  ),

  fault(
    'next-offset-is-one-too-large',
    'Tells a next offset that passes over one item.',
    ['TOOL-PAGE-06'],
    pages((page) =>
      page['next_offset'] === null ? page : { ...page, next_offset: n(page['next_offset']) + 1 },
    ),
  ),
  fault(
    'next-offset-is-missing-at-the-end',
    'Leaves next_offset out of the last page.',
    ['TOOL-PAGE-06'],
    pages((page) => (page['next_offset'] === null ? without(page, 'next_offset') : page)),
  ),
  fault(
    'next-offset-ends-with-minus-1',
    'Tells -1 as next_offset of the last page.',
    ['TOOL-PAGE-06'],
    pages((page) => ({ ...page, next_offset: page['next_offset'] ?? -1 })),
  ),

  fault(
    'item-is-lost-between-pages',
    'Begins every page but the first one item too late.',
    ['TOOL-PAGE-07'],
    shifted(1),
  ),
  fault(
    'item-is-doubled-between-pages',
    'Begins every page but the first one item too early.',
    ['TOOL-PAGE-07'],
    shifted(-1),
  ),

  fault(
    'json-is-a-bare-list',
    'Gives the items of a search in json as an array without anything around it.',
    ['TOOL-JSON-01'],
    texts((text, { tool, args }) =>
      tool.name === 'shelf_search_books' &&
      args['response_format'] === 'json' &&
      text.startsWith('{')
        ? JSON.stringify((JSON.parse(text) as Members)['books'])
        : text,
    ),
  ),
  fault(
    'json-stands-in-a-fence',
    'Puts json between fences of markdown.',
    ['TOOL-JSON-01'],
    texts((text, { tool, args }) =>
      tool.name === 'shelf_search_books' && args['response_format'] === 'json'
        ? `\`\`\`json\n${text}\n\`\`\``
        : text,
    ),
  ),
  fault(
    'members-have-two-spellings',
    'Tells has_more as hasMore too.',
    ['TOOL-JSON-03'],
    pages((page) => ({ ...page, hasMore: page['has_more'] })),
  ),
  fault(
    'every-other-item-is-spelled-otherwise',
    'Spells the members of every other item in another way.',
    ['TOOL-JSON-03'],
    pages(({ books, ...page }) => ({
      ...page,
      books: (books as Members[]).map(({ added_at: added, ...book }, index) =>
        index % 2 === 0 ? { ...book, added_at: added } : { ...book, addedAt: added },
      ),
    })),
  ),

  fault(
    'markdown-lacks-the-last-item',
    'Leaves the last item of a page out of markdown.',
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
    'markdown-knows-no-offset',
    'Shows the first page in markdown, whatever the offset.',
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
