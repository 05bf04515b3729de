import { defaultRules, type ToolsRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { Page } from '../../../../mocks/stateful/tools/kit/pages.ts'
import type { ToolsFault } from './fault.ts'
import { fault, replaceRules, type MakeToolsDeviation } from './building.ts'
import type { Hit } from '../../../../mocks/kit/kit.ts'

/** Changes pages that are cut short. `page` is the whole one. */
const cuts = (change: (cut: Page, page: Page, count: number) => Page): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    cut(page, count, rules) {
      hit()
      return change(defaultRules.cut(page, count, rules), page, count)
    },
  }))

/** Lets results be as long as they are, and changes the text of those that are too long. */
const unbounded = (hit: Hit, change: (text: string) => string): Partial<ToolsRules> => {
  const changed = (text: string) => {
    if (text.length <= 25_000) return text
    hit()
    return change(text)
  }
  return {
    characterLimit: Infinity,
    json: (value, choices) => changed(defaultRules.json(value, choices)),
    pageMarkdown: (...given) => changed(defaultRules.pageMarkdown(...given)),
  }
}

/** What is done with results that are too long. */
export const truncation: readonly ToolsFault[] = [
  fault(
    'long-results-have-one-character-too-many',
    'Fills long results up to 25,001 characters.',
    ['TOOL-TRUNCATION-01'],
    replaceRules((_rules, hit) => {
      const filled = (text: string) => {
        if (text.length < 20_000 || text.length > 25_000) return text
        hit()
        return text.padEnd(25_001)
      }
      return {
        lengthOf: (text) => text.trimEnd().length,
        json: (value, choices) => filled(defaultRules.json(value, choices)),
        pageMarkdown: (...given) => filled(defaultRules.pageMarkdown(...given)),
      }
    }),
  ),
  fault(
    'nothing-is-cut-short',
    'Gives results of any length.',
    ['TOOL-TRUNCATION-01'],
    replaceRules((_rules, hit) => unbounded(hit, (text) => text)),
  ),

  fault(
    'truncated-is-not-told',
    'Cuts results short without truncated.',
    ['TOOL-TRUNCATION-02'],
    cuts(({ truncated: _, ...cut }) => cut),
  ),
  fault(
    'truncated-is-text',
    'Tells truncated as text.',
    ['TOOL-TRUNCATION-02'],
    cuts((cut) => ({ ...cut, truncated: 'true' as unknown as boolean })),
  ),

  fault(
    'truncation-message-is-missing',
    'Cuts results short without a truncation_message.',
    ['TOOL-TRUNCATION-03'],
    cuts(({ truncation_message: _, ...cut }) => cut),
  ),
  fault(
    'truncation-message-helps-nobody',
    'Says that a result was too long, and nothing else.',
    ['TOOL-TRUNCATION-03'],
    cuts((cut) => ({ ...cut, truncation_message: 'The answer was too long.' })),
  ),

  fault(
    'text-is-cut-in-the-middle',
    'Cuts long results off behind 25,000 characters.',
    ['TOOL-TRUNCATION-04'],
    replaceRules((_rules, hit) => unbounded(hit, (text) => text.slice(0, 25_000))),
  ),
  fault(
    'cut-pages-count-what-they-lost',
    'Counts the items that were cut off.',
    ['TOOL-TRUNCATION-04'],
    cuts((cut, page) => ({ ...cut, count: page.count })),
  ),
  fault(
    'members-are-cut-off',
    'Says that it is cut short, and leaves members out in place of items.',
    ['TOOL-TRUNCATION-04'],
    cuts((cut, page) => ({
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
    'next-offset-passes-over-what-was-cut-off',
    'Tells the next offset of the whole page where one is cut short.',
    ['TOOL-TRUNCATION-05'],
    cuts((cut, page) => ({ ...cut, next_offset: page.next_offset })),
  ),
  fault(
    'cut-pages-keep-their-end',
    'Leaves the first items out of what is too long.',
    ['TOOL-TRUNCATION-05'],
    cuts((cut, page, count) => ({ ...cut, items: page.items.slice(-count) })),
  ),
]
