// One request as the operations see it, and what they answer.
import type { IncomingMessage } from 'node:http'
import type { Op } from './doors.ts'
import { Fault, bad, broken, type Account, type Fields, type Json, type World } from './world.ts'

export interface Answer {
  status: number
  result?: unknown
  raw?: { type: string; body: Buffer | string }
  headers?: Record<string, string>
  extra?: Record<string, unknown>
}

export interface Call {
  w: World
  op: Op
  account: Account
  door: 'api' | 'batch'
  request: IncomingMessage
  url: URL
  id: string
  rawId: string
  body: () => Buffer
}

export const ok = (result: unknown): Answer => ({ status: 200, result })

export const tooLarge = (): Fault => new Fault(413, 5413, 'The file is too large')

export async function readBody(request: IncomingMessage, limit: number): Promise<() => Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += (piece as Buffer).length
    if (size <= limit) chunks.push(piece as Buffer)
    if (size > 64 * 1024 * 1024) request.destroy()
  }
  return () => {
    if (size > limit) throw tooLarge()
    return Buffer.concat(chunks)
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function jsonBody(call: Call, known: readonly string[]): Fields {
  const { w, op } = call
  const text = call.body().toString('utf8')
  const type = call.request.headers['content-type'] ?? ''
  if (w.on('strict-json-type') && text && !/^application\/json\b/i.test(type)) {
    throw new Fault(415, 5415, 'The body has to be application/json')
  }
  if (text.trim() === '') {
    if (op !== 'ticket' || w.on('ticket-needs-body')) throw bad('The body is empty')
    return {}
  }
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    if (op === 'ticket' && w.on('broken-json-500')) throw broken()
    if (op.startsWith('variant') && w.on('broken-json-500-variants')) throw broken()
    if (op === 'ticket' && w.on('broken-json-taken-as-empty')) return {}
    throw bad('The body is not JSON')
  }
  if (Array.isArray(value) && op === 'ticket' && w.on('ticket-array-accepted')) return {}
  if (!isFields(value)) throw bad('The body has to be a JSON object')
  if (w.on('null-means-absent')) {
    value = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null))
  }
  if (w.on('unknown-field-refused')) {
    const strange = Object.keys(value).find((key) => !known.includes(key))
    if (strange !== undefined) throw bad(`Unknown field ${strange}`)
  }
  return value
}
