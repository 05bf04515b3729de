import { z } from 'zod'

/**
 * Input fields of several tools: as schemas for clients, and as types for validation. Both are
 * written by hand, so that a fault can change one without the other.
 */
export const fieldSchemas = {
  response_format: {
    type: 'string',
    enum: ['markdown', 'json'],
    default: 'markdown',
    description: 'The format of the result: markdown for people, json for programs.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The maximum number of items in the result.',
  },
  offset: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'The number of items to skip.',
  },
  book: {
    type: 'string',
    pattern: '^b-[0-9]{3}$',
    description: 'The identifier of a book, for example b-001.',
  },
  reader: {
    type: 'string',
    pattern: '^r-[0-9]{3}$',
    description: 'The identifier of a reader, for example r-001.',
  },
  loan: {
    type: 'string',
    pattern: '^l-[0-9]{3,9}$',
    description: 'The identifier of a loan, for example l-001.',
  },
} as const

export const fieldTypes = {
  response_format: z.enum(['markdown', 'json']).default('markdown'),
  limit: z.int().min(1).max(100).default(20),
  offset: z.int().min(0).default(0),
  book: z.string().regex(/^b-\d{3}$/),
  reader: z.string().regex(/^r-\d{3}$/),
  loan: z.string().regex(/^l-\d{3,9}$/),
}
