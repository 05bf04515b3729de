import type { RuleRequirements } from '../../kit/requirements.ts'
import type { ToolsChoices } from './choices.ts'
import type { User } from './auth/guard.ts'
import type { ToolDescription } from './description.ts'
import { failureText, emptyResultText, type ToolFailure } from './kit/failures.ts'
import {
  truncatePage,
  pageFields,
  pageOf,
  truncationMessage,
  type ItemKind,
  type Page,
} from './kit/pages.ts'
import { itemMarkdown, formatName, pageMarkdown, formatTime, type Heading } from './kit/markdown.ts'
import { logLevels, parseError, protocolVersions, type LogLevel } from './protocol.ts'
import { shortenToFit } from './kit/shorten.ts'
import { validateInput, type ValidationResult } from './kit/validate.ts'
import { matchesQuery } from './library/search.ts'

/**
 * The rules by which this server meets the contract and MCP, and the limits of this server. Faults
 * replace them one by one. A function that uses other rules gets them as its argument `rules`.
 */
export interface ToolsRules {
  /** The arguments with all defaults, or their problems. */
  validate(tool: ToolDescription, input: unknown, choices: ToolsChoices): ValidationResult

  /** Whether the scopes that a user granted allow a tool. */
  permitsTool(tool: ToolDescription, user: User | undefined): boolean

  /** One page of all matches. */
  pageOf(all: readonly object[], limit: number, offset: number): Page
  /** The page with only its first `count` items, marked as truncated. */
  truncatePage(page: Page, count: number, rules: ToolsRules): Page
  truncationMessage(page: Page): string
  /** Shortens a single item that is too long, only as much as `fits` requires. */
  shortenItem: typeof shortenToFit
  /** The maximum length of a result in characters. A longer result is truncated. */
  characterLimit: number
  /** The length of a result in characters. */
  lengthOf(text: string): number
  /** A page as JSON. */
  pageFields(page: Page, kind: ItemKind): Record<string, unknown>
  formatJson(value: unknown, choices: ToolsChoices): string

  pageMarkdown(
    page: Page,
    kind: ItemKind,
    heading: Heading,
    rules: ToolsRules,
    choices: ToolsChoices,
  ): string
  /** One item, either below the heading of a page (depth 1) or alone (depth 0). */
  itemMarkdown(
    item: object,
    kind: ItemKind,
    depth: number,
    rules: ToolsRules,
    choices: ToolsChoices,
  ): string
  /** A title with its identifier. */
  formatName(title: string, id: string): string
  /** Formats an ISO 8601 timestamp for people. */
  formatTime(iso: string, choices: ToolsChoices): string

  /** The text of a failure. */
  failureText(failure: ToolFailure, choices: ToolsChoices): string
  /** The text of an empty search result. */
  emptyResultText(query: string, choices: ToolsChoices): string
  /** Whether a search finds a book; used by the built-in upstream. */
  matchesQuery: typeof matchesQuery
  /** Timeout of an upstream request, in milliseconds of the clock. */
  upstreamTimeoutMs: number
  /** Whether the timeout covers the body of a response, and not only its headers. */
  upstreamTimeoutCoversBody: boolean

  /** The protocol revision for a client that requests the revision `requested`. */
  negotiateVersion(requested: unknown, supported: readonly string[]): string
  /** Whether a client with this minimum level, if it set one, receives logs of this level. */
  wantsLogLevel(level: LogLevel, minimum: LogLevel | undefined): boolean
  /** The progress token of a call; undefined for none. */
  progressToken(meta: Record<string, unknown> | undefined): unknown
  /** The values `progress` and `total` of a progress notification. */
  progress(done: number, all: number, choices: ToolsChoices): { progress: number; total?: number }
  /** How long a user may take to respond, in milliseconds of the clock. */
  elicitationTimeoutMs: number

  /** Parses a message. If it throws, the message is refused as malformed. */
  parseMessage(text: string): unknown
  /** The code of the error for a malformed message. */
  parseErrorCode: number
  /** The maximum size of a message in bytes. */
  maxMessageBytes: number
  /** Whether web pages of this origin may call the server. */
  acceptsOrigin(origin: string): boolean
  /** Whether the server answers requests for this value of Host; undefined without the header. */
  acceptsHost(host: string | undefined): boolean
  /** The maximum number of sessions. If there are more, the least recently used session ends. */
  maxSessions: number
}

export const defaultRules: Readonly<ToolsRules> = Object.freeze<ToolsRules>({
  validate: validateInput,
  permitsTool: ({ annotations }, user) =>
    user?.scopes?.includes(annotations.readOnlyHint ? 'shelf:read' : 'shelf:write') ?? true,
  pageOf,
  truncatePage,
  truncationMessage,
  shortenItem: shortenToFit,
  characterLimit: 25_000,
  lengthOf: (text) => text.length,
  pageFields,
  formatJson: (value, { indent }) => JSON.stringify(value, null, indent),
  pageMarkdown,
  itemMarkdown,
  formatName,
  formatTime,
  failureText,
  emptyResultText,
  matchesQuery,
  upstreamTimeoutMs: 30_000,
  upstreamTimeoutCoversBody: true,
  negotiateVersion: (requested, supported) =>
    supported.find((version) => version === requested) ?? supported[0] ?? protocolVersions[0]!,
  wantsLogLevel: (level, minimum) =>
    minimum === undefined || logLevels.indexOf(level) >= logLevels.indexOf(minimum),
  progressToken: (meta) => meta?.['progressToken'],
  progress: (done, all, { progress }) =>
    progress === 'fraction'
      ? { progress: done / all, total: 1 }
      : progress === 'steps'
        ? { progress: done, total: all }
        : { progress: done },
  elicitationTimeoutMs: 300_000,
  parseMessage: (text) => JSON.parse(text) as unknown,
  parseErrorCode: parseError,
  maxMessageBytes: 4 * 1024 * 1024,
  acceptsOrigin: (origin) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(origin),
  // Protects against DNS rebinding, in which an attacker's domain name leads a browser to this
  // server. The browser then sends that name as Host. The server listens only on loopback, so it
  // refuses all other names.
  acceptsHost: (host) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? ''),
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
    'TOOL-INVALID-12',
    'TOOL-LIMIT-03',
  ],
  permitsTool: ['AUTH-REFRESH-04'],
  pageOf: ['TOOL-LIMIT-04', 'TOOL-PAGE-07', 'TOOL-PAGE-10'],
  truncatePage: [
    'TOOL-TRUNCATION-02',
    'TOOL-TRUNCATION-03',
    'TOOL-TRUNCATION-04',
    'TOOL-TRUNCATION-05',
  ],
  truncationMessage: ['TOOL-TRUNCATION-03'],
  shortenItem: ['TOOL-TRUNCATION-01'],
  characterLimit: ['TOOL-TRUNCATION-01'],
  lengthOf: ['TOOL-TRUNCATION-01'],
  pageFields: [
    'TOOL-PAGE-01',
    'TOOL-PAGE-02',
    'TOOL-PAGE-03',
    'TOOL-PAGE-04',
    'TOOL-PAGE-05',
    'TOOL-PAGE-06',
  ],
  formatJson: ['TOOL-JSON-01'],
  pageMarkdown: ['TOOL-MARKDOWN-01', 'TOOL-MARKDOWN-02'],
  itemMarkdown: ['TOOL-MARKDOWN-02'],
  formatName: ['TOOL-MARKDOWN-04'],
  formatTime: ['TOOL-MARKDOWN-03'],
  failureText: [
    'TOOL-ERROR-01',
    'TOOL-ERROR-02',
    'TOOL-ERROR-03',
    'TOOL-ERROR-04',
    'TOOL-ERROR-05',
    'TOOL-ERROR-06',
    'TOOL-ERROR-07',
    'TOOL-ERROR-08',
  ],
  emptyResultText: ['TOOL-ERROR-09'],
  matchesQuery: { none: 'each tool decides what its search finds' },
  upstreamTimeoutMs: ['TOOL-TIMEOUT-01'],
  upstreamTimeoutCoversBody: ['TOOL-TIMEOUT-01'],
  negotiateVersion: ['TOOL-MCP-02'],
  wantsLogLevel: ['TOOL-LOG-03'],
  progressToken: ['TOOL-PROGRESS-01', 'TOOL-PROGRESS-03'],
  progress: ['TOOL-PROGRESS-02'],
  elicitationTimeoutMs: ['TOOL-ELICIT-02'],
  parseMessage: ['TOOL-MCP-09'],
  parseErrorCode: ['TOOL-MCP-15'],
  maxMessageBytes: ['TOOL-MCP-10'],
  acceptsOrigin: ['TOOL-HTTP-09'],
  acceptsHost: { none: 'MCP requires only that Origin is checked' },
  maxSessions: { none: 'a limit of this server' },
}
