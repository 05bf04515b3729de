import { z } from 'zod'
import { commonFields } from '../../../../generated/tools/rules.ts'

const { response_format, limit, offset } = commonFields

/** Input fields of several tools. */
export const fieldTypes = {
  response_format: z
    .enum(response_format.schema.enum)
    .default(response_format.schema.default)
    .describe('The format of the result: markdown for people, json for programs.'),
  limit: z
    .int()
    .min(limit.schema.minimum)
    .max(limit.schema.maximum)
    .default(limit.schema.default)
    .describe('The maximum number of items in the result.'),
  offset: z
    .int()
    .min(offset.schema.minimum)
    .default(offset.schema.default)
    .describe('The number of items to skip.'),
  book: z
    .string()
    .regex(/^b-[0-9]{3}$/)
    .describe('The identifier of a book, for example b-001.'),
  reader: z
    .string()
    .regex(/^r-[0-9]{3}$/)
    .describe('The identifier of a reader, for example r-001.'),
  loan: z
    .string()
    .regex(/^l-[0-9]{3,9}$/)
    .describe('The identifier of a loan, for example l-001.'),
}
