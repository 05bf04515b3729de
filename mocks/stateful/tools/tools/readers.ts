import { z } from 'zod'
import { itemAnswer, pageAnswer } from '../kit/answers.ts'
import { checked, told } from '../kit/fields.ts'
import { listIn, objectIn } from '../kit/received.ts'
import { reads, tool, writes } from '../kit/tool.ts'
import { readers } from '../shelf/kinds.ts'

export const listReaders = tool({
  name: 'list_readers',
  title: 'List readers',
  description:
    'Lists the readers of the library. Takes limit, offset and response_format. ' +
    'Returns one page of readers, with total, count, offset, has_more and next_offset in json. Not for changing a reader: use shelf_update_reader.',
  annotations: reads(true),
  properties: { limit: told.limit, offset: told.offset, response_format: told.response_format },
  required: [],
  input: z.object({
    limit: checked.limit,
    offset: checked.offset,
    response_format: checked.response_format,
  }),
  async run(call) {
    const {
      server: { upstream },
      signal,
    } = call
    return pageAnswer(
      call,
      readers,
      listIn(await upstream.ask('GET', '/readers', { signal }), 'readers'),
      { title: 'Readers' },
    )
  },
})

export const updateReader = tool({
  name: 'update_reader',
  title: 'Update a reader',
  description:
    'Replaces what is known of a reader: name, email, city. Takes the id, the new values and response_format; what is not given stays. ' +
    'Returns the reader. Not for making a loan: use shelf_create_loan.',
  annotations: writes({ destructive: true, idempotent: true }),
  properties: {
    id: told.reader,
    name: { type: 'string', minLength: 1, maxLength: 100, description: 'The new name.' },
    email: {
      type: 'string',
      minLength: 3,
      maxLength: 200,
      pattern: '^[^@]+@[^@]+$',
      description: 'The new address for letters.',
    },
    city: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'Where the reader lives now.',
    },
    response_format: told.response_format,
  },
  required: ['id'],
  input: z.object({
    id: checked.reader,
    name: z.string().min(1).max(100).optional(),
    email: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[^@]+@[^@]+$/)
      .optional(),
    city: z.string().min(1).max(100).optional(),
    response_format: checked.response_format,
  }),
  async run(call) {
    const {
      args: { id, response_format: _format, ...body },
      server: { upstream },
      signal,
    } = call
    return itemAnswer(
      call,
      readers,
      objectIn(await upstream.ask('PUT', `/readers/${encodeURIComponent(id)}`, { body, signal })),
    )
  },
})
