import { defaultRules } from '../../../../mocks/stateful/tools/rules.ts'
import type { ToolsFault } from './fault.ts'
import { fault, replaceRules, type MakeToolsDeviation } from './building.ts'

/** Changes pages in markdown. */
const shown = (change: (text: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    pageMarkdown(...given) {
      hit()
      return change(defaultRules.pageMarkdown(...given))
    },
  }))

const named = (name: (title: string, id: string) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    name(title, id) {
      hit()
      return name(title, id)
    },
  }))

const timed = (time: (moment: number) => string): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    time(iso) {
      hit()
      return time(Date.parse(iso))
    },
  }))

/** Results for people that are hard to read. */
export const markdown: readonly ToolsFault[] = [
  fault(
    'markdown-has-bold-lines-for-headers',
    'Writes headers of markdown as bold lines.',
    ['TOOL-MARKDOWN-01'],
    shown((text) => text.replace(/^#+ (.*)$/gm, '**$1**')),
  ),
  fault(
    'markdown-has-tags-for-headers',
    'Writes headers of markdown as tags of HTML.',
    ['TOOL-MARKDOWN-01'],
    shown((text) => text.replace(/^#+ (.*)$/gm, '<h2>$1</h2>')),
  ),

  fault(
    'markdown-has-lines-for-items',
    'Writes the items of markdown as plain lines below one header.',
    ['TOOL-MARKDOWN-02'],
    shown((text) => text.replace(/^## /gm, '').replace(/^- /gm, '')),
  ),
  fault(
    'markdown-has-items-in-one-paragraph',
    'Writes all items of markdown into one paragraph.',
    ['TOOL-MARKDOWN-02'],
    shown((text) => {
      const [header = '', ...rest] = text.split('\n\n')
      return `${header}\n\n${rest.map((part) => part.replace(/^#+ /gm, '').replace(/\n+- /g, ', ')).join('; ')}`
    }),
  ),

  fault(
    'times-are-seconds',
    'Writes times in markdown as seconds since 1970.',
    ['TOOL-MARKDOWN-03'],
    timed((moment) => String(moment / 1000)),
  ),
  fault(
    'times-are-milliseconds',
    'Writes times in markdown as milliseconds since 1970.',
    ['TOOL-MARKDOWN-03'],
    timed(String),
  ),

  fault(
    'names-have-no-identifiers',
    'Writes names in markdown without identifiers.',
    ['TOOL-MARKDOWN-04'],
    named((title) => title),
  ),
  fault(
    'identifiers-stand-in-brackets',
    'Writes identifiers in brackets.',
    ['TOOL-MARKDOWN-04'],
    named((title, id) => `${title} [${id}]`),
  ),
  fault(
    'identifiers-stand-in-front-of-names',
    'Writes identifiers in front of names.',
    ['TOOL-MARKDOWN-04'],
    named((title, id) => `(${id}) ${title}`),
  ),
]
