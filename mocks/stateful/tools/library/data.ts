import type { InitialBook } from '../../../registry/initial-data.ts'

/** A book of the library. Timestamps are in ISO 8601. */
export interface Book {
  id: string
  title: string
  author: string
  year: number
  language: string
  tags: string[]
  summary: string
  copies: number
  added_at: string
}

export interface Reader {
  id: string
  name: string
  email: string
  city: string
  open_loans: number
  member_since: string
}

export interface Loan {
  id: string
  book_id: string
  reader_id: string
  days: number
  created_at: string
  due_at: string
}

/** One copy of a book in the inventory. */
export interface Copy {
  id: string
  title: string
  book_id: string
  shelf: string
  condition: string
  note: string
  checked_at: string
}

export interface Library {
  books: readonly Book[]
  readers: readonly Reader[]
  copies: readonly Copy[]
  /** Rules for readers, by topic. */
  rules: Readonly<Record<string, string>>
}

const titleNouns = [
  'Lighthouse',
  'Orchard',
  'River',
  'Clockmaker',
  'Island',
  'Winter',
  'Garden',
  'Voyage',
  'Harbour',
  'Mountain',
  'Letter',
  'Bridge',
]
const titleEndings = [
  'of the North',
  'by the Sea',
  'in the Rain',
  'under Glass',
  'beyond the Hills',
]
const firstNames = ['Ada', 'Bela', 'Cora', 'Dov', 'Elif', 'Femi', 'Gita', 'Hugo', 'Ines']
const lastNames = ['Adler', 'Brandt', 'Castro', 'Dimitrov', 'Eriksen']
const cities = ['Lisbon', 'Turku', 'Graz', 'Leeds']
const themes = ['sea', 'history', 'nature', 'travel', 'mystery', 'childhood']
const conditions = ['as new', 'good', 'worn', 'spine repaired']

const newId = (letter: string, n: number) => `${letter}-${String(n).padStart(3, '0')}`
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!
const moment = (days: number, minutes: number) =>
  new Date(Date.UTC(2021, 0, 4, 8, 30) + days * 86_400_000 + minutes * 60_000).toISOString()
const generate = <T>(count: number, newItem: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => newItem(index))

/** Makes the library. It is always the same, except for the books in `added`. */
export function newLibrary(added: readonly InitialBook[] = []): Library {
  const books = generate(60, (n): Book => {
    const title = `The ${pick(titleNouns, n)} ${pick(titleEndings, Math.floor(n / titleNouns.length))}`
    const tags = [pick(themes, n), pick(themes, n + 1 + (n % 3))]
    return {
      id: newId('b', n + 1),
      title,
      author: `${pick(firstNames, n)} ${pick(lastNames, n + 2)}`,
      year: 1921 + ((n * 37) % 100),
      language: pick(['en', 'pt', 'fi'], n),
      tags,
      summary: `A tale of ${tags.join(' and ')} in ${3 + (n % 9)} parts.`,
      copies: 1 + (n % 5),
      added_at: moment(n * 11, n * 17),
    }
  })
  const readers = generate(45, (n): Reader => {
    const name = `${pick(firstNames, n)} ${pick(lastNames, Math.floor(n / firstNames.length))}`
    return {
      id: newId('r', n + 1),
      name,
      email: `${name.toLowerCase().replace(' ', '.')}@readers.example`,
      city: pick(cities, n),
      open_loans: n % 4,
      member_since: moment(n * 23, n * 31),
    }
  })
  const copies = generate(240, (n): Copy => {
    const book = pick(books, n)
    const condition = pick(conditions, n)
    return {
      id: newId('c', n + 1),
      title: `${book.title}, copy ${1 + Math.floor(n / books.length)}`,
      book_id: book.id,
      shelf: `${pick(['A', 'B', 'C', 'D'], n)}${1 + (n % 12)}`,
      condition,
      note: `${'Cover, binding and pages were looked at, leaf by leaf, and the label was read again. '.repeat(3)}It is ${condition}.`,
      checked_at: moment(900 + n, n * 13),
    }
  })
  const own = books.filter(({ id }) => !added.some((book) => book.id === id))
  return { books: [...added.map(completeBook), ...own], readers, copies, rules: newRules() }
}

const completeBook = (book: InitialBook): Book => ({
  id: book.id,
  title: book.title,
  author: book.author,
  year: book.year ?? 2000,
  language: book.language ?? 'en',
  tags: book.tags ?? [],
  summary: book.summary ?? '',
  copies: book.copies ?? 1,
  added_at: book.added_at ?? moment(0, 0),
})

const newRules = () => ({
  loans: 'A reader keeps a book for up to sixty days, and at most ten books at a time.',
  quiet: 'Talk in the hall, and read in the reading room.',
  returns: 'Books come back to the desk, or into the box by the door.',
})
