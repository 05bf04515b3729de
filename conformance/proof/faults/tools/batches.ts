import { fault, replaceRules, type MakeToolsDeviation } from './building.ts'

type Json = Record<string, unknown>

const isNotification = (message: Json): boolean => !('id' in message)
/** The message as a request, so that the server responds. */
const asRequest = (message: Json): Json =>
  isNotification(message) ? { jsonrpc: '2.0', id: 'a notification', method: 'ping' } : message

/** Changes batches before they are handled. */
const onBatch = (change: (batch: readonly Json[]) => readonly Json[]): MakeToolsDeviation =>
  replaceRules((_rules, hit) => ({
    parseMessage(text) {
      const value = JSON.parse(text) as unknown
      if (!Array.isArray(value)) return value
      const changed = change(value as Json[])
      if (changed !== value) hit()
      return changed
    },
  }))

/** Faults in batches of messages, which only MCP 2025-03-26 has. */
export const batches = [
  fault(
    'batches-are-refused',
    'Refuses every batch.',
    ['TOOL-MCP-19'],
    replaceRules((_rules, hit) => ({
      parseMessage(text) {
        const value = JSON.parse(text) as unknown
        if (!Array.isArray(value)) return value
        hit()
        throw new Error('not a message')
      },
    })),
  ),
  fault(
    'only-the-first-request-of-a-batch-is-answered',
    'Handles only the first message of a batch.',
    ['TOOL-MCP-19'],
    onBatch((batch) => batch.slice(0, 1)),
  ),
  fault(
    'notifications-among-requests-are-answered',
    'Responds to the notifications of a batch that also contains requests.',
    ['TOOL-MCP-19'],
    onBatch((batch) => (batch.every(isNotification) ? batch : batch.map(asRequest))),
  ),
  fault(
    'batches-of-notifications-are-answered',
    'Responds to a batch of notifications.',
    ['TOOL-MCP-19'],
    onBatch((batch) => (batch.every(isNotification) ? batch.map(asRequest) : batch)),
  ),
  fault(
    'large-batches-are-cut',
    'Handles only the last 100 messages of a batch.',
    ['TOOL-MCP-19'],
    onBatch((batch) => (batch.length > 100 ? batch.slice(-100) : batch)),
  ),
]
