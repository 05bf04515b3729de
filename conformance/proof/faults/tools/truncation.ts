import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { Page } from '../../../../mocks/stateful/tools/kit/pages.ts'
import type { ToolsFault } from './fault.ts'
import { fault, onJsonResult, replaceRules, type MakeToolsDeviation } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

/**
 * Changes truncated pages. `cut` is the truncated page, `page` the complete page, and `count` the
 * number of items in the truncated page.
 */
const onTruncatedPage = (
  change: (cut: Page, page: Page, count: number) => Page,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    truncatePage(page, count, rules) {
      hit()
      return change(defaultRules.truncatePage(page, count, rules), page, count)
    },
  }))

/** Does not truncate results, and changes the text of those that are too long. */
const withoutTruncation = (hit: Hit, change: (text: string) => string): Partial<ToolsRules> => {
  const changed = (text: string) => {
    if (text.length <= 25_000) return text
    hit()
    return change(text)
  }
  return {
    characterLimit: Infinity,
    formatJson: (value, choices) => changed(defaultRules.formatJson(value, choices)),
    pageMarkdown: (...args) => changed(defaultRules.pageMarkdown(...args)),
  }
}

/** Multiplies the lengths of certain results by five, so that they are cut at 5,000 characters. */
const cutAt5000 = (isCut: (text: string) => boolean): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    lengthOf(text) {
      if (!isCut(text)) return text.length
      hit()
      return text.length * 5
    },
  }))

const marking = { truncated: true, truncation_message: 'Continue with offset, or use filters.' }

/** Cuts Markdown that is too long off after the first words of a note. */
const cutMarkdown = (finish: (text: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    pageMarkdown(...args) {
      const text = defaultRules.pageMarkdown(...args)
      if (text.length <= 25_000) return text
      hit()
      return finish(text.slice(0, text.lastIndexOf('leaf by leaf', 24_800)))
    },
  }))

/** Faults in the truncation of long results. */
export const truncation: readonly ToolsFault[] = [
  fault(
    'long-results-have-one-character-too-many',
    'Pads long results to 25,001 characters.',
    ['TOOL-TRUNCATION-01'],
    replaceRules((_rules, hit) => {
      const filled = (text: string) => {
        if (text.length < 20_000 || text.length > 25_000) return text
        hit()
        return text.padEnd(25_001)
      }
      return {
        lengthOf: (text) => text.trimEnd().length,
        formatJson: (value, choices) => filled(defaultRules.formatJson(value, choices)),
        pageMarkdown: (...args) => filled(defaultRules.pageMarkdown(...args)),
      }
    }),
  ),
  fault(
    'results-are-never-truncated',
    'Returns results of any length.',
    ['TOOL-TRUNCATION-01'],
    replaceRules((_rules, hit) => withoutTruncation(hit, (text) => text)),
  ),
  fault(
    'long-items-are-not-shortened',
    'Returns a single item of any length, although it says that it is truncated.',
    ['TOOL-TRUNCATION-01'],
    replaceRules((_rules, hit) => ({
      shortenItem(item) {
        hit()
        return item
      },
    })),
  ),
  fault(
    'long-items-have-a-higher-limit',
    'Shortens a single item to 40,000 characters.',
    ['TOOL-TRUNCATION-01'],
    replaceRules((_rules, hit) => ({
      shortenItem(item) {
        hit()
        return defaultRules.shortenItem(
          item,
          40_000,
          (shown) => JSON.stringify(shown).length <= 40_000,
        )
      },
    })),
  ),

  fault(
    'results-are-truncated-at-half-the-length',
    'Truncates results of more than 12,500 characters.',
    ['TOOL-TRUNCATION-07'],
    replaceRules((_rules, hit) => {
      hit()
      return { characterLimit: 12_500 }
    }),
  ),
  fault(
    'results-are-truncated-at-20000-characters',
    'Truncates results of more than 20,000 characters.',
    ['TOOL-TRUNCATION-07'],
    replaceRules((_rules, hit) => {
      hit()
      return { characterLimit: 20_000 }
    }),
  ),
  fault(
    'truncated-is-true-on-every-page',
    'Returns truncated true on every page of a search.',
    ['TOOL-TRUNCATION-07'],
    onJsonResult((page) => ('total' in page ? { ...page, truncated: true } : undefined)),
  ),

  fault(
    'complete-pages-are-marked',
    'Marks pages of a search as truncated, although they contain all requested items.',
    ['TOOL-TRUNCATION-07'],
    onJsonResult((page, { tool }) =>
      tool.name === 'shelf_search_books' && Number(page['count']) > 0
        ? { ...page, ...marking }
        : undefined,
    ),
  ),
  fault(
    'single-items-are-marked',
    'Marks a single book as truncated, although it is complete.',
    ['TOOL-TRUNCATION-07'],
    onJsonResult((book, { tool }) =>
      tool.name === 'shelf_get_book' ? { ...book, ...marking } : undefined,
    ),
  ),
  fault(
    'searches-are-cut-at-5000-characters',
    'Truncates pages of books with more than 5,000 characters.',
    ['TOOL-TRUNCATION-07'],
    cutAt5000((text) => /"books"|^# Books/.test(text)),
  ),
  fault(
    'lists-are-cut-at-5000-characters',
    'Truncates pages of readers with more than 5,000 characters.',
    ['TOOL-TRUNCATION-07'],
    cutAt5000((text) => /"readers"|^# Readers/.test(text)),
  ),
  fault(
    'markdown-searches-are-cut-at-5000-characters',
    'Truncates Markdown pages of books with more than 5,000 characters.',
    ['TOOL-TRUNCATION-07'],
    cutAt5000((text) => text.startsWith('# Books')),
  ),

  fault(
    'only-the-first-page-is-marked-as-truncated',
    'Omits the member truncated from truncated pages after the first.',
    ['TOOL-TRUNCATION-02'],
    onTruncatedPage(({ truncated, ...cut }) =>
      cut.offset === 0 ? { ...cut, ...(truncated && { truncated }) } : cut,
    ),
  ),
  fault(
    'only-the-first-truncated-page-has-advice',
    'Omits the message from truncated pages after the first.',
    ['TOOL-TRUNCATION-03'],
    onTruncatedPage(({ truncation_message: message, ...cut }) =>
      cut.offset === 0 && message !== undefined ? { ...cut, truncation_message: message } : cut,
    ),
  ),
  fault(
    'truncated-is-missing',
    'Omits the member truncated from truncated results.',
    ['TOOL-TRUNCATION-02'],
    onTruncatedPage(({ truncated: _, ...cut }) => cut),
  ),
  fault(
    'truncated-is-a-string',
    'Returns truncated as a string.',
    ['TOOL-TRUNCATION-02'],
    onTruncatedPage((cut) => ({ ...cut, truncated: 'true' as unknown as boolean })),
  ),

  fault(
    'truncation-message-is-missing',
    'Omits the member truncation_message from truncated results.',
    ['TOOL-TRUNCATION-03'],
    onTruncatedPage(({ truncation_message: _, ...cut }) => cut),
  ),
  fault(
    'truncation-message-is-not-helpful',
    'Returns a truncation_message that does not say how to get the other items.',
    ['TOOL-TRUNCATION-03'],
    onTruncatedPage((cut) => ({ ...cut, truncation_message: 'The answer was too long.' })),
  ),

  fault(
    'text-is-cut-in-the-middle',
    'Cuts long results off after 25,000 characters, so that they are not valid JSON.',
    ['TOOL-TRUNCATION-04'],
    replaceRules((_rules, hit) => withoutTruncation(hit, (text) => text.slice(0, 25_000))),
  ),
  fault(
    'truncated-pages-count-all-items',
    'Includes the removed items in the count of a truncated page.',
    ['TOOL-TRUNCATION-04'],
    onTruncatedPage((cut, page) => ({ ...cut, count: page.count })),
  ),
  fault(
    'members-are-removed',
    'Removes members of items from truncated results instead of items.',
    ['TOOL-TRUNCATION-04'],
    onTruncatedPage((cut, page) => ({
      ...page,
      items: (page.items as { id: unknown; title: unknown }[]).map(({ id, title }) => ({
        id,
        title,
      })),
      truncated: true,
      truncation_message: cut.truncation_message ?? '',
    })),
  ),

  fault(
    'next-offset-skips-removed-items',
    'Returns the next_offset of the complete page in a truncated page.',
    ['TOOL-TRUNCATION-05'],
    onTruncatedPage((cut, page) => ({ ...cut, next_offset: page.next_offset })),
  ),
  fault(
    'truncated-pages-keep-their-end',
    'Removes the first items of a page that is too long, not the last.',
    ['TOOL-TRUNCATION-05'],
    onTruncatedPage((cut, page, count) => ({ ...cut, items: page.items.slice(-count) })),
  ),

  fault(
    'markdown-is-cut-in-the-middle-of-an-item',
    'Cuts long results in Markdown off in the middle of an item.',
    ['TOOL-TRUNCATION-08'],
    cutMarkdown((text) => text),
  ),
  fault(
    'cut-markdown-has-a-note',
    'Cuts long results in Markdown off in the middle of an item, and adds a note.',
    ['TOOL-TRUNCATION-08'],
    cutMarkdown((text) => `${text}…\n\nTruncated: continue with offset, or use filters.`),
  ),
]
