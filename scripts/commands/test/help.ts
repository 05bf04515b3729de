import { Help, type Command, type Option } from 'commander'
import { flagOf } from '../../../conformance/target-file/index.ts'
import { keys } from '../../../conformance/target.ts'

/** The options in the short help. Each line must fit into 80 columns. */
const shortOptions: Readonly<Record<string, string>> = {
  '--account <id>': 'account (image API); for a webhook API: --project <id>',
  '--target <file>': 'target file (default: touchstone.yaml)',
  '--bundled': 'test the bundled mocks',
  '--only <id>':
    'only this requirement (IMG-GET-01), group (IMG-GET),\nor check ("IMG-GET-01 <title>")',
  '--skip <id>': 'all except this requirement, group or check',
  '--failed': 'only checks that failed in the last report',
  '--topic <topic>': 'only this topic (--list prints the topics)',
  '--contract <contract>': 'only this contract, such as images or events',
  '--level <level>': 'only requirements of this level: must, should, open',
  '--profile <profile>': 'mcp: only rules that MCP states; conventions: others',
  '--expected <file>': 'file of known failures (--write-expected writes it)',
  '--strict, --no-strict': 'whether to exit with 2 if a must was not covered',
  '--bail': 'end after the first failure, and print only that one',
  '--watch': 'run again when you press a key or restart the server',
  '--wait <duration>': 'wait up to this long, such as 30s, until servers listen',
  '--no-preflight': 'run the checks even if a server does not listen',
  '--report <folder>': 'folder for the reports (default: report)',
  '--reporter <name>': 'such as console, json, junit, html; others: --help all',
  '--exchanges <which>': 'whose requests to report: failed checks (default), all',
  '--verbose': 'print every check',
  '--json': 'print only the JSON report',
  '--list': 'print the checks without running them',
}

/** The words that can follow `--help`. */
export const helpTopics: readonly string[] = [
  ...new Set(keys.map(({ path }) => path.split('.')[0]!)),
  'all',
]

/** The word after --help on a command line. */
export function helpTopicIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '--help' || word === '-h')
  const topic = at === -1 ? undefined : words[at + 1]
  return topic !== undefined && helpTopics.includes(topic) ? topic : undefined
}

/**
 * The help of `touchstone test`. Without a topic, it has one line for each option; with the name of
 * a section of the target file, the keys of that section as options; with `all`, everything.
 */
export function formatTestHelp(command: Command, helper: Help, topic: string | undefined): string {
  if (topic === undefined) return shortHelp()
  if (topic === 'all') return Help.prototype.formatHelp.call(helper, command, helper)
  const flags = new Set(
    keys.filter(({ path }) => path.startsWith(`${topic}.`)).map(({ path }) => flagOf(path)),
  )
  const options = command.options.filter(({ long }) => long != null && flags.has(long))
  return [
    `The options for the section "${topic}" of the target file. The option of the key`,
    `${exampleOf(topic)} is ${flagOf(exampleOf(topic))}.`,
    '',
    ...itemsOf(options, helper),
    '',
  ].join('\n')
}

const exampleOf = (topic: string): string =>
  keys.find(({ path }) => path.startsWith(`${topic}.`))!.path

function itemsOf(options: readonly Option[], helper: Help): string[] {
  const width = Math.max(...options.map((option) => helper.optionTerm(option).length))
  return options.map((option) =>
    helper.formatItem(helper.optionTerm(option), width, helper.optionDescription(option), helper),
  )
}

function shortHelp(): string {
  const width = Math.max(...Object.keys(shortOptions).map((flags) => flags.length))
  return [
    'Usage: touchstone test [URL or host:port of the server] [options]',
    ...Object.entries(shortOptions).map(
      ([flags, text]) =>
        `  ${flags.padEnd(width)}  ${text.replace('\n', `\n${' '.repeat(width + 4)}`)}`,
    ),
    `More help: touchstone test --help ${helpTopics.join('|')}`,
    '',
  ].join('\n')
}
