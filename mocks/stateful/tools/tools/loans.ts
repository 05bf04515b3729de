import { z } from 'zod'
import { newFactsResult, newItemResult } from '../kit/results.ts'
import { fieldTypes } from '../kit/fields.ts'
import { listMark, headingMark } from '../kit/markdown.ts'
import { requireObject } from '../kit/received.ts'
import { defineTool, writeHints } from '../kit/tool.ts'
import { loans } from '../library/kinds.ts'

export const createLoan = defineTool({
  name: 'create_loan',
  title: 'Create a loan',
  description:
    'Lends a book to a reader. Accepts book_id, reader_id, days and response_format. Returns the new loan. Not for ending one: use shelf_delete_loan.',
  annotations: writeHints({ destructive: false, idempotent: false }),
  input: z.object({
    book_id: fieldTypes.book,
    reader_id: fieldTypes.reader,
    days: z
      .int()
      .min(1)
      .max(60)
      .default(21)
      .describe('The number of days that the reader keeps the book.'),
    response_format: fieldTypes.response_format,
  }),
  async run(call) {
    const {
      args: { response_format: _format, ...body },
      server: { upstream },
      signal,
    } = call
    return newItemResult(
      call,
      loans,
      requireObject(await upstream.request('POST', '/loans', { body, signal })),
    )
  },
})

export const deleteLoan = defineTool({
  name: 'delete_loan',
  title: 'Delete a loan',
  description:
    'Ends a loan: the book is back. Accepts the id of the loan and response_format. Returns the id. Ending it again changes nothing. Not for extending a loan.',
  annotations: writeHints({ destructive: true, idempotent: true }),
  input: z.object({ id: fieldTypes.loan, response_format: fieldTypes.response_format }),
  async run(call) {
    const {
      args: { id },
      server: { upstream, rules, choices },
      signal,
    } = call
    await upstream.request('DELETE', `/loans/${encodeURIComponent(id)}`, { signal })
    return newFactsResult(
      call,
      { id, deleted: true },
      `${headingMark(0, choices)} ${rules.formatName('Loan', id)}\n\n${listMark(0, choices)} **Deleted**: yes`,
    )
  },
})
