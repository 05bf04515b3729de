import type { RuleRequirements } from '../../kit/requirements.ts'
import type { ToolsChoices } from './choices.ts'
import type { User } from './auth/guard.ts'
import type { ToolDescription } from './description.ts'
import { failureText, nothingText, type ToolFailure } from './kit/failures.ts'
import {
  cutPage,
  fieldsOf,
  pageOf,
  truncationMessage,
  type ItemKind,
  type Page,
} from './kit/pages.ts'
import { itemMarkdown, nameOf, pageMarkdown, timeText, type Heading } from './kit/markdown.ts'
import { levels, versions, type LogLevel } from './protocol.ts'
import { validated, type Validated } from './kit/validate.ts'
import { matches } from './shelf/search.ts'

/** What the document and MCP demand, and the bounds of this server, replaced one by one by faults. Functions that call others take `rules`. */
export interface ToolsRules {
  /** The arguments with all defaults, or what is wrong with them. */
  validate(tool: ToolDescription, given: unknown, choices: ToolsChoices): Validated

  /** Whether a tool may be called on behalf of a user, by what that user allowed. */
  permits(tool: ToolDescription, user: User | undefined): boolean

  /** One page of everything that matches. */
  page(all: readonly object[], limit: number, offset: number): Page
  /** The same page with its first `count` items, truncated. */
  cut(page: Page, count: number, rules: ToolsRules): Page
  truncationMessage(page: Page): string
  /** The most characters that an answer has; where it is longer, it is truncated. */
  characterLimit: number
  /** The length of an answer, in characters. */
  lengthOf(text: string): number
  /** A page as it stands in JSON. */
  fields(page: Page, kind: ItemKind): Record<string, unknown>
  json(value: unknown, choices: ToolsChoices): string

  pageMarkdown(
    page: Page,
    kind: ItemKind,
    heading: Heading,
    rules: ToolsRules,
    choices: ToolsChoices,
  ): string
  /** One item, under a header of its own or as an answer of its own. */
  itemMarkdown(
    item: object,
    kind: ItemKind,
    depth: number,
    rules: ToolsRules,
    choices: ToolsChoices,
  ): string
  /** A title with its identifier. */
  name(title: string, id: string): string
  /** A moment, given in ISO 8601, for people. */
  time(iso: string, choices: ToolsChoices): string

  /** The text of whatever went wrong behind a tool. */
  failure(failure: ToolFailure, choices: ToolsChoices): string
  /** The text for a search that found nothing. */
  nothing(query: string, choices: ToolsChoices): string
  /** Whether a search finds a book; the built-in upstream searches with it. */
  matches: typeof matches
  /** After how many milliseconds of the clock an upstream request is given up. */
  upstreamTimeoutMs: number

  /** The revision that a client gets which asked for this one. */
  negotiate(asked: unknown, spoken: readonly string[]): string
  /** Whether a client hears of this level which asked for that one, or for none. */
  hears(level: LogLevel, least: LogLevel | undefined): boolean
  /** The token under which a call is told how far it is; undefined for none. */
  progressToken(meta: Record<string, unknown> | undefined): unknown
  /** How far a call is, as it is told: `progress`, and `total` where it is known. */
  progress(done: number, all: number, choices: ToolsChoices): { progress: number; total?: number }
  /** How long somebody may take to answer a question, in milliseconds of the clock. */
  elicitationTimeoutMs: number

  /** Reads what came in; what it throws is answered as malformed. */
  parse(text: string): unknown
  /** The most bytes that one message may have. */
  maxBytes: number
  /** Whether a web page of this origin may talk to the server. */
  trusts(origin: string): boolean
  /** Sessions that are kept; beyond them, the one that was used least recently ends. */
  maxSessions: number
}

export const defaultRules: Readonly<ToolsRules> = Object.freeze<ToolsRules>({
  validate: validated,
  permits: ({ annotations }, user) =>
    user?.scopes?.includes(annotations.readOnlyHint ? 'shelf:read' : 'shelf:write') ?? true,
  page: pageOf,
  cut: cutPage,
  truncationMessage,
  characterLimit: 25_000,
  lengthOf: (text) => text.length,
  fields: fieldsOf,
  json: (value, { indent }) => JSON.stringify(value, null, indent),
  pageMarkdown,
  itemMarkdown,
  name: nameOf,
  time: timeText,
  failure: failureText,
  nothing: nothingText,
  matches,
  upstreamTimeoutMs: 30_000,
  negotiate: (asked, spoken) =>
    spoken.find((version) => version === asked) ?? spoken[0] ?? versions[0]!,
  hears: (level, least) => least === undefined || levels.indexOf(level) >= levels.indexOf(least),
  progressToken: (meta) => meta?.['progressToken'],
  progress: (done, all, { progress }) =>
    progress === 'fraction'
      ? { progress: done / all, total: 1 }
      : progress === 'steps'
        ? { progress: done, total: all }
        : { progress: done },
  elicitationTimeoutMs: 300_000,
  parse: (text) => JSON.parse(text) as unknown,
  maxBytes: 4 * 1024 * 1024,
  trusts: (origin) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(origin),
  maxSessions: 1000,
})

export const ruleRequirements: RuleRequirements<ToolsRules> = {
  validate: [
    'TOOL-INVALID-01',
    'TOOL-INVALID-02',
    'TOOL-INVALID-03',
    'TOOL-INVALID-04',
    'TOOL-INVALID-05',
    'TOOL-INVALID-06',
    'TOOL-INVALID-07',
    'TOOL-LIMIT-03',
  ],
  permits: ['AUTH-REFRESH-04'],
  page: ['TOOL-LIMIT-04', 'TOOL-PAGE-07'],
  cut: ['TOOL-TRUNCATION-02', 'TOOL-TRUNCATION-03', 'TOOL-TRUNCATION-04', 'TOOL-TRUNCATION-05'],
  truncationMessage: ['TOOL-TRUNCATION-03'],
  characterLimit: ['TOOL-TRUNCATION-01'],
  lengthOf: ['TOOL-TRUNCATION-01'],
  fields: [
    'TOOL-PAGE-01',
    'TOOL-PAGE-02',
    'TOOL-PAGE-03',
    'TOOL-PAGE-04',
    'TOOL-PAGE-05',
    'TOOL-PAGE-06',
  ],
  json: ['TOOL-JSON-01'],
  pageMarkdown: ['TOOL-MARKDOWN-01', 'TOOL-MARKDOWN-02'],
  itemMarkdown: ['TOOL-MARKDOWN-02'],
  name: ['TOOL-MARKDOWN-04'],
  time: ['TOOL-MARKDOWN-03'],
  failure: [
    'TOOL-ERROR-01',
    'TOOL-ERROR-02',
    'TOOL-ERROR-03',
    'TOOL-ERROR-04',
    'TOOL-ERROR-05',
    'TOOL-ERROR-06',
    'TOOL-ERROR-07',
    'TOOL-ERROR-08',
  ],
  nothing: ['TOOL-ERROR-09'],
  matches: { none: 'each tool decides what its search finds' },
  upstreamTimeoutMs: ['TOOL-TIMEOUT-01'],
  negotiate: ['TOOL-MCP-02'],
  hears: ['TOOL-LOG-03'],
  progressToken: ['TOOL-PROGRESS-01', 'TOOL-PROGRESS-03'],
  progress: ['TOOL-PROGRESS-02'],
  elicitationTimeoutMs: ['TOOL-ELICIT-02'],
  parse: ['TOOL-MCP-09'],
  maxBytes: ['TOOL-MCP-10'],
  trusts: ['TOOL-HTTP-09'],
  maxSessions: { none: 'a bound of this server' },
}
