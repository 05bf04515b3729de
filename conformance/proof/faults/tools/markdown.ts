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
]
