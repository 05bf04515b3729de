import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import { fault, replaceRules, type MakeToolsDeviation } from './building.ts'

/** Changes Markdown pages. */
const onPageMarkdown = (change: (text: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    pageMarkdown(...args) {
      hit()
      return change(defaultRules.pageMarkdown(...args))
    },
  }))

const onName = (name: (title: string, id: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    formatName(title, id) {
      hit()
      return name(title, id)
    },
  }))

const onTime = (time: (moment: number) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    formatTime(iso) {
      hit()
      return time(Date.parse(iso))
    },
  }))

/** Changes the Markdown of items, with rules that do not apply to the items of a search. */
const onOtherItems = (
  isChanged: (depth: number, plural: string) => boolean,
  changed: Partial<typeof defaultRules>,
): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    itemMarkdown(item, kind, depth, rules, choices) {
      if (!isChanged(depth, kind.plural))
        return defaultRules.itemMarkdown(item, kind, depth, rules, choices)
      hit()
      return defaultRules.itemMarkdown(item, kind, depth, { ...rules, ...changed }, choices)
    },
  }))

/** Faults in results in Markdown. */
export const markdown: readonly ToolsFault[] = [
  fault(
    'markdown-has-bold-lines-for-headers',
    'Writes bold lines instead of Markdown headers.',
    ['TOOL-MARKDOWN-01'],
    onPageMarkdown((text) => text.replace(/^#+ (.*)$/gm, '**$1**')),
  ),
  fault(
    'markdown-has-tags-for-headers',
    'Writes HTML tags instead of Markdown headers.',
    ['TOOL-MARKDOWN-01'],
    onPageMarkdown((text) => text.replace(/^#+ (.*)$/gm, '<h2>$1</h2>')),
  ),

  fault(
    'markdown-has-lines-for-items',
    'Writes the items of a Markdown page as plain lines, without headers or list markers.',
    ['TOOL-MARKDOWN-02'],
    onPageMarkdown((text) => text.replace(/^## /gm, '').replace(/^- /gm, '')),
  ),
  fault(
    'markdown-has-items-in-one-paragraph',
    'Writes all items of a Markdown page into one paragraph.',
    ['TOOL-MARKDOWN-02'],
    onPageMarkdown((text) => {
      const [header = '', ...rest] = text.split('\n\n')
      return `${header}\n\n${rest.map((part) => part.replace(/^#+ /gm, '').replace(/\n+- /g, ', ')).join('; ')}`
    }),
  ),

  fault(
    'times-are-seconds',
    'Writes times in Markdown as seconds since 1970.',
    ['TOOL-MARKDOWN-03'],
    onTime((moment) => String(moment / 1000)),
  ),
  fault(
    'times-are-milliseconds',
    'Writes times in Markdown as milliseconds since 1970.',
    ['TOOL-MARKDOWN-03'],
    onTime(String),
  ),

  fault(
    'times-of-the-search-are-those-of-json',
    'Writes times in the Markdown of the search as in JSON.',
    ['TOOL-MARKDOWN-07'],
    onTime((moment) => new Date(moment).toISOString()),
  ),
  fault(
    'times-of-single-items-are-those-of-json',
    'Writes the times of a single item in Markdown as in JSON.',
    ['TOOL-MARKDOWN-07'],
    onOtherItems((depth) => depth === 0, { formatTime: (iso) => iso }),
  ),
  fault(
    'long-names-are-cut',
    'Writes at most 23 characters of a name in Markdown.',
    ['TOOL-MARKDOWN-08'],
    onName((title, id) => `${title.slice(0, 23)} (${id})`),
  ),
  fault(
    'names-end-at-a-preposition',
    'Writes names in Markdown without "of" and what follows it.',
    ['TOOL-MARKDOWN-08'],
    onName((title, id) => `${title.replace(/ of .*/, '')} (${id})`),
  ),

  fault(
    'names-have-no-identifiers',
    'Writes names in Markdown without identifiers.',
    ['TOOL-MARKDOWN-04'],
    onName((title) => title),
  ),
  fault(
    'identifiers-end-after-ten-items',
    'Writes the identifiers of only the first ten items of a Markdown page.',
    ['TOOL-MARKDOWN-04'],
    onPageMarkdown((text) => {
      let count = 0
      return text.replace(/ \(b-\d{3}\)/g, (id) => ((count += 1) > 10 ? '' : id))
    }),
  ),
  fault(
    'identifiers-are-in-brackets',
    'Writes identifiers in square brackets.',
    ['TOOL-MARKDOWN-04'],
    onName((title, id) => `${title} [${id}]`),
  ),
  fault(
    'identifiers-precede-names',
    'Writes identifiers before names.',
    ['TOOL-MARKDOWN-04'],
    onName((title, id) => `(${id}) ${title}`),
  ),
  fault(
    'times-of-single-items-are-seconds',
    'Writes the times of a single item in Markdown as seconds since 1970.',
    ['TOOL-MARKDOWN-03'],
    onOtherItems((depth) => depth === 0, {
      formatTime: (iso) => String(Date.parse(iso) / 1000),
    }),
  ),
  fault(
    'times-of-lists-are-milliseconds',
    'Writes the times in a list of readers in Markdown as milliseconds since 1970.',
    ['TOOL-MARKDOWN-03'],
    onOtherItems((_depth, plural) => plural === 'readers', {
      formatTime: (iso) => String(Date.parse(iso)),
    }),
  ),
  fault(
    'single-items-have-no-identifiers',
    'Writes the name of a single item in Markdown without its identifier.',
    ['TOOL-MARKDOWN-04'],
    onOtherItems((depth) => depth === 0, { formatName: (title) => title }),
  ),
  fault(
    'lists-lack-the-last-item',
    'Omits the last reader from Markdown pages of readers.',
    ['TOOL-JSON-02'],
    replaceRules((_rules, hit) => ({
      pageMarkdown({ items, ...page }, kind, ...rest) {
        const isShortened = kind.plural === 'readers' && items.length > 1
        if (isShortened) hit()
        return defaultRules.pageMarkdown(
          { ...page, items: isShortened ? items.slice(0, -1) : items },
          kind,
          ...rest,
        )
      },
    })),
  ),

  fault(
    'markdown-is-json-in-a-fence',
    'Writes a single item in Markdown as a block of JSON below its name.',
    ['TOOL-MARKDOWN-06'],
    replaceRules((_rules, hit) => ({
      itemMarkdown(item, kind, depth, rules, choices) {
        const text = defaultRules.itemMarkdown(item, kind, depth, rules, choices)
        if (depth !== 0) return text
        hit()
        const [heading] = text.split('\n')
        return `${heading}\n\n\`\`\`json\n${JSON.stringify(item, null, 2)}\n\`\`\``
      },
    })),
  ),
  fault(
    'items-in-markdown-are-json',
    'Writes each item of a list in Markdown as a line of JSON below its name.',
    ['TOOL-MARKDOWN-06'],
    replaceRules((_rules, hit) => ({
      itemMarkdown(item, kind, depth, rules, choices) {
        const text = defaultRules.itemMarkdown(item, kind, depth, rules, choices)
        if (depth !== 1) return text
        hit()
        return `${text.split('\n')[0]}\n\n- ${JSON.stringify(item)}`
      },
    })),
  ),
]
