import { protocolVersions } from './protocol.ts'

/**
 * What the contract for tool servers and MCP leave open, one field for each choice. The first value
 * is the default. The server conforms to the contract and to MCP with every combination.
 */
export interface ToolsChoices {
  // Definitions
  /**
   * Whether arguments are nested in a single member `params`, with an inline schema or a reference.
   */
  nestedParams: 'no' | 'inline' | 'by reference'
  /** The dialect in `$schema` of inputSchema. */
  dialect: 'none' | '2020-12' | 'draft-07'
  /**
   * How unknown arguments are treated. `refused`: the schema forbids them, and the server refuses
   * them. `allowed`: the schema allows them, and the server ignores them. `ignored`: the schema
   * forbids them, but the server ignores them.
   */
  extraInput: 'refused' | 'allowed' | 'ignored'
  /** Whether definitions contain the title not only in their annotations, but also as a member. */
  toolTitles: false | true
  /** Whether definitions contain outputSchema. Has an effect only with structured content. */
  outputSchema: false | true
  /** Number of tools on a page of `tools/list`; 0 means all. */
  toolPage: number
  toolOrder: 'natural' | 'reversed'

  // Results
  structured: 'none' | 'data' | 'wrapped'
  /**
   * Whether results, items and definitions contain members that neither the contract nor MCP
   * defines.
   */
  extraFields: false | true
  indent: 2 | 0
  keyOrder: 'natural' | 'reversed'
  /** Whether results whose text starts with "Error:" set isError. */
  errorFlag: true | false
  /** The wording of failures and of empty search results. */
  wording: 'plain' | 'terse' | 'chatty'
  /** Whether the text of an empty search result also starts with "Error:". */
  emptyResultIsError: false | true
  invalidInput: 'result' | 'error'
  unknownTool: 'error' | 'result'
  /** Whether strings are trimmed before validation. */
  trimsStrings: true | false
  markdownHeaders: '#' | '##'
  markdownLists: '-' | '*' | '1.'
  times: 'long' | 'short' | 'american'

  // Context
  resources: true | false
  /** Whether resources are listed in addition to the templates. */
  listsResources: true | false
  /** Whether clients can subscribe to resources. No resource changes, so no one is notified. */
  subscriptions: false | true
  logging: true | false
  progress: 'fraction' | 'steps' | 'open' | 'none'
  progressMessages: true | false
  logData: 'text' | 'object'
  /**
   * The stream of log messages over streamable HTTP: the stream of the call, or the stream that GET
   * opens.
   */
  logStream: 'call' | 'get'
  elicitation: true | false
  instructions: false | true

  // Transports
  framing: 'sse' | 'json'
  /** Whether streamable HTTP has sessions. */
  sessions: true | false
  sessionIds: 'uuid' | 'hex' | 'short'
  /** Whether only the user who opened a session may use it, or everyone with a token. */
  sessionsFor: 'owner' | 'everyone'
  /** The type of the ids of the server's requests. */
  requestIds: 'number' | 'text'
  /** Whether GET opens a stream or is refused with 405. */
  getStream: true | false
  /** Whether clients may end sessions; otherwise DELETE is refused with 405. */
  deleteSessions: true | false
  /** The supported protocol revisions, the preferred one first. */
  versions: readonly string[]
  /**
   * The bodies of HTTP refusals that are not about a JSON-RPC message, such as the refusal of an
   * origin.
   */
  refusals: 'JSON-RPC' | 'other JSON'
  /** The response to a line on stdio that is not JSON: an error without an id, or nothing. */
  malformedLines: 'error' | 'silence'
}

/** Choices of a server with which the suite can check every requirement. */
export const completeChoices: Readonly<Partial<ToolsChoices>> = Object.freeze({
  structured: 'data',
  outputSchema: true,
  subscriptions: true,
})

export const defaultChoices: Readonly<ToolsChoices> = Object.freeze({
  nestedParams: 'no',
  dialect: 'none',
  extraInput: 'refused',
  toolTitles: false,
  outputSchema: false,
  toolPage: 0,
  toolOrder: 'natural',
  structured: 'none',
  extraFields: false,
  indent: 2,
  keyOrder: 'natural',
  errorFlag: true,
  wording: 'plain',
  emptyResultIsError: false,
  invalidInput: 'result',
  unknownTool: 'error',
  trimsStrings: true,
  markdownHeaders: '#',
  markdownLists: '-',
  times: 'long',
  resources: true,
  listsResources: true,
  subscriptions: false,
  logging: true,
  progress: 'fraction',
  progressMessages: true,
  logData: 'text',
  logStream: 'call',
  elicitation: true,
  instructions: false,
  framing: 'sse',
  sessions: true,
  sessionIds: 'uuid',
  sessionsFor: 'owner',
  requestIds: 'number',
  getStream: true,
  deleteSessions: true,
  versions: protocolVersions,
  refusals: 'JSON-RPC',
  malformedLines: 'error',
})
