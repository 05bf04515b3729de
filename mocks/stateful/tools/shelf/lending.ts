import type { Loan, Reader, Shelf } from './data.ts'

/** What changes in the library: loans, and what is known of readers. */
export interface Lending {
  readers(): readonly Reader[]
  /** The reader with these members in place of the old ones; undefined for nobody. */
  update(id: string, given: Record<string, unknown>): Reader | undefined
  /** A new loan; undefined where there is no such book or reader. */
  lend(given: Record<string, unknown>): Loan | undefined
  /** Ends a loan. True too where it ended before: once more changes nothing. */
  take(id: string): boolean
}

/** Loans that are remembered: a long run does not fill the memory. */
const mostLoans = 500

export function newLending(shelf: Shelf, now: () => number): Lending {
  const readers = shelf.readers.map((reader) => ({ ...reader }))
  const loans = new Map<string, Loan>()
  let lent = 0
  const numberOf = (id: string) => Number(/^l-(\d{3,9})$/.exec(id)?.[1] ?? 0)
  const lending: Lending = {
    readers: () => readers,
    update(id, given) {
      const reader = readers.find((one) => one.id === id)
      if (reader === undefined) return undefined
      for (const field of ['name', 'email', 'city'] as const)
        if (typeof given[field] === 'string') reader[field] = given[field]
      return reader
    },
    lend({ book_id: book, reader_id: reader, days }) {
      if (!shelf.books.some(({ id }) => id === book) || !readers.some(({ id }) => id === reader))
        return undefined
      lent += 1
      const length = typeof days === 'number' ? days : 21
      const loan: Loan = {
        id: `l-${String(lent).padStart(3, '0')}`,
        book_id: String(book),
        reader_id: String(reader),
        days: length,
        created_at: new Date(now()).toISOString(),
        due_at: new Date(now() + length * 86_400_000).toISOString(),
      }
      loans.set(loan.id, loan)
      const [oldest] = loans.keys()
      if (loans.size > mostLoans && oldest !== undefined) loans.delete(oldest)
      return loan
    },
    take(id) {
      loans.delete(id)
      const number = numberOf(id)
      return number > 0 && number <= lent
    },
  }
  // There is a loan from the first day on.
  lending.lend({ book_id: 'b-001', reader_id: 'r-001', days: 21 })
  return lending
}
