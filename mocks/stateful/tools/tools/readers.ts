import { z } from 'zod'
import { newItemResult, newPageResult } from '../kit/results.ts'
import { fieldTypes, fieldSchemas } from '../kit/fields.ts'
import { requireList, requireObject } from '../kit/received.ts'
import { readHints, defineTool, writeHints } from '../kit/tool.ts'
import { readers } from '../library/kinds.ts'

export const listReaders = defineTool({
  name: 'list_readers',
  title: 'List readers',
  description:
    'Lists the readers of the library. Accepts limit, offset and response_format. ' +
    'Returns one page of readers, with total, count, offset, has_more and next_offset in json. Not for changing a reader: use shelf_update_reader.',
  annotations: readHints(true),
  properties: {
    limit: fieldSchemas.limit,
    offset: fieldSchemas.offset,
    response_format: fieldSchemas.response_format,
  },
  required: [],
  input: z.object({
    limit: fieldTypes.limit,
    offset: fieldTypes.offset,
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const {
      server: { upstream },
      signal,
    } = call
    return newPageResult(
      call,
      readers,
      requireList(await upstream.request('GET', '/readers', { signal }), 'readers'),
      { title: 'Readers' },
    )
  },
})

export const updateReader = defineTool({
  name: 'update_reader',
  title: 'Update a reader',
  description:
    'Updates the name, email or city of a reader. Accepts the id, the new values and response_format; omitted fields stay unchanged. ' +
    'Returns the reader. Not for creating a loan: use shelf_create_loan.',
  annotations: writeHints({ destructive: true, idempotent: true }),
  properties: {
    id: fieldSchemas.reader,
    name: { type: 'string', minLength: 1, maxLength: 100, description: 'The new name.' },
    email: {
      type: 'string',
      minLength: 3,
      maxLength: 200,
      pattern: '^[^@]+@[^@]+$',
      description: 'The new email address.',
    },
    city: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'The new city.',
    },
    response_format: fieldSchemas.response_format,
  },
  required: ['id'],
  input: z.object({
    id: fieldTypes.reader,
    name: z.string().min(1).max(100).optional(),
    email: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[^@]+@[^@]+$/)
      .optional(),
    city: z.string().min(1).max(100).optional(),
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const {
      args: { id, response_format: _format, ...body },
      server: { upstream },
      signal,
    } = call
    return newItemResult(
      call,
      readers,
      requireObject(
        await upstream.request('PUT', `/readers/${encodeURIComponent(id)}`, { body, signal }),
      ),
    )
  },
})
