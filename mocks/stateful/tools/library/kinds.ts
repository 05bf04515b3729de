import type { ItemKind } from '../kit/pages.ts'
import type { Book, Copy, Loan, Reader } from './data.ts'

/**
 * Makes a kind of items of the type `T`. Items from an upstream may lack any field. A missing field
 * is shown as undefined or empty.
 */
function newKind<T>(
  plural: string,
  singular: string,
  title: (item: T) => string,
  lines: (item: T) => ReturnType<ItemKind['lines']>,
): ItemKind {
  return {
    plural,
    singular,
    title: (item) => title(item as T),
    id: (item) => String((item as { id?: unknown }).id),
    lines: (item) => lines(item as T),
  }
}

export const books = newKind<Book>(
  'books',
  'book',
  ({ title }) => title,
  ({ author, year, tags, copies, added_at }) => [
    ['Author', author],
    ['Year', String(year)],
    ['Tags', (tags ?? []).join(', ')],
    ['Copies', String(copies)],
    ['Added', added_at ?? '', 'moment'],
  ],
)

export const readers = newKind<Reader>(
  'readers',
  'reader',
  ({ name }) => name,
  ({ email, city, open_loans, member_since }) => [
    ['Email', email],
    ['City', city],
    ['Open loans', String(open_loans)],
    ['Member since', member_since ?? '', 'moment'],
  ],
)

export const loans = newKind<Loan>(
  'loans',
  'loan',
  () => 'Loan',
  ({ book_id, reader_id, days, created_at, due_at }) => [
    ['Book', book_id],
    ['Reader', reader_id],
    ['Days', String(days)],
    ['Made', created_at ?? '', 'moment'],
    ['Due', due_at ?? '', 'moment'],
  ],
)

export const copies = newKind<Copy>(
  'copies',
  'copy',
  ({ title }) => title,
  ({ book_id, shelf, condition, note, checked_at }) => [
    ['Book', book_id],
    ['Shelf', shelf],
    ['Condition', condition],
    ['Note', note],
    ['Checked', checked_at ?? '', 'moment'],
  ],
)
