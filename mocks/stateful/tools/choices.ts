import { versions } from './protocol.ts'

/**
 * What the document and MCP leave open, one field for each freedom. The value named first is the default.
 * Whatever is chosen here, the server keeps both.
 */
export interface ToolsChoices {
  // Definitions
  /** Whether arguments stand in a single member `params`, whose schema is written there or referred to. */
  nestedParams: 'no' | 'inline' | 'referred'
  /** What inputSchema says of its dialect. */
  dialect: 'none' | '2020-12' | 'draft-07'
  /** What becomes of arguments that no tool knows: told as forbidden and refused; allowed and passed over; told as forbidden and passed over. */
  extraInput: 'refused' | 'allowed' | 'passed over'
  /** Whether tools tell their titles beside their annotations too. */
  toolTitles: false | true
  /** Whether tools tell outputSchema; only with structured content. */
  outputSchema: false | true
  /** How many tools a page of `tools/list` has; 0 is all of them. */
  toolPage: number
  toolOrder: 'natural' | 'reversed'

  // Results
  structured: 'none' | 'data' | 'wrapped'
  /** Whether results, items and definitions carry members that no document knows. */
  extraFields: false | true
  indent: 2 | 0
  keyOrder: 'natural' | 'reversed'
  /** Whether texts that begin with Error: come with isError. */
  errorFlag: true | false
  /** How what went wrong, and what was not found, is worded. */
  wording: 'plain' | 'terse' | 'chatty'
  /** Whether the text for no result begins with Error: as well. */
  nothingIsError: false | true
  invalidInput: 'result' | 'error'
  unknownTool: 'error' | 'result'
  /** Whether spaces at the ends of texts are taken off before they are measured. */
  strips: true | false
  markdownHeaders: '#' | '##'
  markdownLists: '-' | '*' | '1.'
  times: 'long' | 'short' | 'american'

  // Context
  resources: true | false
  /** Whether single resources are listed, beside the templates. */
  listsResources: true | false
  logging: true | false
  progress: 'fraction' | 'steps' | 'open' | 'none'
  progressMessages: true | false
  logData: 'text' | 'object'
  /** On which stream of streamable HTTP logs travel: that of the call, or the one that GET opens. */
  logStream: 'call' | 'get'
  elicits: true | false
  instructions: false | true

  // Transports
  framing: 'sse' | 'json'
  /** Whether streamable HTTP has sessions. */
  sessions: true | false
  sessionIds: 'uuid' | 'hex' | 'short'
  /** Whether a session is for the user who opened it, or for everybody with a token. */
  sessionsFor: 'their user' | 'everybody'
  /** How the server numbers its own requests. */
  requestIds: 'number' | 'text'
  /** Whether GET opens a stream, or is refused with 405. */
  getStream: true | false
  /** Whether clients may end sessions, or are refused with 405. */
  deletes: true | false
  /** The revisions that are spoken, the preferred one first. */
  versions: readonly string[]
  /** What stdio answers to what is no JSON: an error without an id, or nothing. */
  malformedLines: 'error' | 'silence'
}

/** What a server chooses that shows all there is to be judged. */
export const shown: Readonly<Partial<ToolsChoices>> = Object.freeze({
  structured: 'data',
  outputSchema: true,
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
  nothingIsError: false,
  invalidInput: 'result',
  unknownTool: 'error',
  strips: true,
  markdownHeaders: '#',
  markdownLists: '-',
  times: 'long',
  resources: true,
  listsResources: true,
  logging: true,
  progress: 'fraction',
  progressMessages: true,
  logData: 'text',
  logStream: 'call',
  elicits: true,
  instructions: false,
  framing: 'sse',
  sessions: true,
  sessionIds: 'uuid',
  sessionsFor: 'their user',
  requestIds: 'number',
  getStream: true,
  deletes: true,
  versions,
  malformedLines: 'error',
})
