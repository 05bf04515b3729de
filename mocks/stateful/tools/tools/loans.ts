import { z } from 'zod'
import { factsAnswer, itemAnswer } from '../kit/answers.ts'
import { checked, told } from '../kit/fields.ts'
import { bullet, header } from '../kit/markdown.ts'
import { objectIn } from '../kit/received.ts'
import { tool, writes } from '../kit/tool.ts'
import { loans } from '../shelf/kinds.ts'

export const createLoan = tool({
  name: 'create_loan',
  title: 'Create a loan',
  description:
    'Lends a book to a reader. Takes book_id, reader_id, days and response_format. Returns the new loan. Not for ending one: use shelf_delete_loan.',
  annotations: writes({ destructive: false, idempotent: false }),
  properties: {
    book_id: told.book,
    reader_id: told.reader,
    days: {
      type: 'integer',
      minimum: 1,
      maximum: 60,
      default: 21,
      description: 'For how many days the reader keeps the book.',
    },
    response_format: told.response_format,
  },
  required: ['book_id', 'reader_id'],
  input: z.object({
    book_id: checked.book,
    reader_id: checked.reader,
    days: z.int().min(1).max(60).default(21),
    response_format: checked.response_format,
  }),
  async run(call) {
    const {
      args: { response_format: _format, ...body },
      server: { upstream },
      signal,
    } = call
    return itemAnswer(call, loans, objectIn(await upstream.ask('POST', '/loans', { body, signal })))
  },
})

export const deleteLoan = tool({
  name: 'delete_loan',
  title: 'Delete a loan',
  description:
    'Ends a loan: the book is back. Takes the id of the loan and response_format. Returns the id. Ending it again changes nothing. Not for extending a loan.',
  annotations: writes({ destructive: true, idempotent: true }),
  properties: { id: told.loan, response_format: told.response_format },
  required: ['id'],
  input: z.object({ id: checked.loan, response_format: checked.response_format }),
  async run(call) {
    const {
      args: { id },
      server: { upstream, rules, choices },
      signal,
    } = call
    await upstream.ask('DELETE', `/loans/${encodeURIComponent(id)}`, { signal })
    return factsAnswer(
      call,
      { id, deleted: true },
      `${header(0, choices)} ${rules.name('Loan', id)}\n\n${bullet(0, choices)} **Deleted**: yes`,
    )
  },
})
