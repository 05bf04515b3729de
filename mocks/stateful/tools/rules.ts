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
import { validateInput, type ValidationResult } from './kit/validate.ts'
import { matches } from './library/search.ts'

/**
 * The requirements of the document and of MCP and the limits of this server, which faults replace
 * one by one. Functions that use other rules get them as `rules`.
 */
export interface ToolsRules {
  /** The arguments with all defaults, or their problems. */
  validate(tool: ToolDescription, given: unknown, choices: ToolsChoices): ValidationResult

  /** Whether the scopes that a user granted allow a tool. */
  permits(tool: ToolDescription, user: User | undefined): boolean

  /** One page of all matches. */
  page(all: readonly object[], limit: number, offset: number): Page
  /** The same page with its first `count` items, truncated. */
  cut(page: Page, count: number, rules: ToolsRules): Page
  truncationMessage(page: Page): string
  /** The maximum length of a result in characters; a longer one is truncated. */
  characterLimit: number
  /** The length of a result in characters. */
  lengthOf(text: string): number
  /** A page as JSON. */
  fields(page: Page, kind: ItemKind): Record<string, unknown>
  json(value: unknown, choices: ToolsChoices): string

  pageMarkdown(
    page: Page,
    kind: ItemKind,
    heading: Heading,
    rules: ToolsRules,
    choices: ToolsChoices,
  ): string
  /** One item, below a page's heading or alone. */
  itemMarkdown(
    item: object,
    kind: ItemKind,
    depth: number,
    rules: ToolsRules,
    choices: ToolsChoices,
  ): string
  /** A title with its identifier. */
  name(title: string, id: string): string
  /** Formats an ISO 8601 timestamp for people. */
  time(iso: string, choices: ToolsChoices): string

  /** The text of a failure. */
  failure(failure: ToolFailure, choices: ToolsChoices): string
  /** The text of an empty search result. */
  nothing(query: string, choices: ToolsChoices): string
  /** Whether a search finds a book; used by the built-in upstream. */
  matches: typeof matches
  /** Timeout of an upstream request, in milliseconds of the clock. */
  upstreamTimeoutMs: number

  /** The protocol revision for a client that requests this one. */
  negotiate(asked: unknown, spoken: readonly string[]): string
  /** Whether a client with this minimum level, if it set one, receives logs of this level. */
  wantsLogLevel(level: LogLevel, least: LogLevel | undefined): boolean
  /** The progress token of a call; undefined for none. */
  progressToken(meta: Record<string, unknown> | undefined): unknown
  /** The values `progress` and `total` of a progress notification. */
  progress(done: number, all: number, choices: ToolsChoices): { progress: number; total?: number }
  /** How long a user may take to respond, in milliseconds of the clock. */
  elicitationTimeoutMs: number

  /** Parses a message. If it throws, the message is refused as malformed. */
  parse(text: string): unknown
  /** The maximum size of a message in bytes. */
  maxBytes: number
  /** Whether web pages of this origin may call the server. */
  trusts(origin: string): boolean
  /** The maximum number of sessions; beyond it, the least recently used one ends. */
  maxSessions: number
}

export const defaultRules: Readonly<ToolsRules> = Object.freeze<ToolsRules>({
  validate: validateInput,
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
  wantsLogLevel: (level, least) =>
    least === undefined || levels.indexOf(level) >= levels.indexOf(least),
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
  wantsLogLevel: ['TOOL-LOG-03'],
  progressToken: ['TOOL-PROGRESS-01', 'TOOL-PROGRESS-03'],
  progress: ['TOOL-PROGRESS-02'],
  elicitationTimeoutMs: ['TOOL-ELICIT-02'],
  parse: ['TOOL-MCP-09'],
  maxBytes: ['TOOL-MCP-10'],
  trusts: ['TOOL-HTTP-09'],
  maxSessions: { none: 'a limit of this server' },
}
