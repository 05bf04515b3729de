import { z } from 'zod'

/**
 * Fields that several tools have, twice: as they are told to clients, and as they are validated. Both are written by hand, so that
 * either can be wrong without the other.
 */
export const told = {
  response_format: {
    type: 'string',
    enum: ['markdown', 'json'],
    default: 'markdown',
    description: 'How the answer is written: markdown for people, json for programs.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'The most items that the answer holds.',
  },
  offset: {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'How many items are left out in front of the first.',
  },
  book: {
    type: 'string',
    pattern: '^b-[0-9]{3}$',
    description: 'The identifier of a book, for instance b-001.',
  },
  reader: {
    type: 'string',
    pattern: '^r-[0-9]{3}$',
    description: 'The identifier of a reader, for instance r-001.',
  },
  loan: {
    type: 'string',
    pattern: '^l-[0-9]{3,9}$',
    description: 'The identifier of a loan, for instance l-001.',
  },
} as const

export const checked = {
  response_format: z.enum(['markdown', 'json']).default('markdown'),
  limit: z.int().min(1).max(100).default(20),
  offset: z.int().min(0).default(0),
  book: z.string().regex(/^b-\d{3}$/),
  reader: z.string().regex(/^r-\d{3}$/),
  loan: z.string().regex(/^l-\d{3,9}$/),
}
