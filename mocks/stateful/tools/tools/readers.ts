import { z } from 'zod'
import { newItemResult, newPageResult } from '../kit/results.ts'
import { fieldTypes } from '../kit/fields.ts'
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
  input: z.object({
    id: fieldTypes.reader,
    name: z.string().min(1).max(100).optional().describe('The new name.'),
    email: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[^@]+@[^@]+$/)
      .optional()
      .describe('The new email address.'),
    city: z.string().min(1).max(100).optional().describe('The new city.'),
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
