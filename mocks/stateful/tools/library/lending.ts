import type { Loan, Reader, Library } from './data.ts'

/** The mutable data of the library: loans and readers. */
export interface Lending {
  readers(): readonly Reader[]
  /** Updates a reader; undefined if there is no reader with this id. */
  update(id: string, changes: Record<string, unknown>): Reader | undefined
  /** Creates a loan; undefined if the book or reader does not exist. */
  lend(fields: Record<string, unknown>): Loan | undefined
  /** The loan with this id that has not ended. */
  loan(id: string): Loan | undefined
  /** Ends a loan. Returns false if there never was a loan with this id. */
  endLoan(id: string): boolean
}

/** The maximum number of stored loans, so that a long run does not fill the memory. */
const maxLoans = 500

export function newLending(library: Library, now: () => number): Lending {
  const readers = library.readers.map((reader) => ({ ...reader }))
  const loans = new Map<string, Loan>()
  let loanCount = 0
  const numberOf = (id: string) => Number(/^l-(\d{3,9})$/.exec(id)?.[1] ?? 0)
  const lending: Lending = {
    readers: () => readers,
    update(id, changes) {
      const reader = readers.find((one) => one.id === id)
      if (reader === undefined) return undefined
      for (const field of ['name', 'email', 'city'] as const)
        if (typeof changes[field] === 'string') reader[field] = changes[field]
      return reader
    },
    lend({ book_id: book, reader_id: reader, days }) {
      if (!library.books.some(({ id }) => id === book) || !readers.some(({ id }) => id === reader))
        return undefined
      loanCount += 1
      const length = typeof days === 'number' ? days : 21
      const loan: Loan = {
        id: `l-${String(loanCount).padStart(3, '0')}`,
        book_id: String(book),
        reader_id: String(reader),
        days: length,
        created_at: new Date(now()).toISOString(),
        due_at: new Date(now() + length * 86_400_000).toISOString(),
      }
      loans.set(loan.id, loan)
      const [oldest] = loans.keys()
      if (loans.size > maxLoans && oldest !== undefined) loans.delete(oldest)
      return loan
    },
    loan: (id) => loans.get(id),
    endLoan(id) {
      loans.delete(id)
      const number = numberOf(id)
      return number > 0 && number <= loanCount
    },
  }
  // The library begins with one loan.
  lending.lend({ book_id: 'b-001', reader_id: 'r-001', days: 21 })
  return lending
}
