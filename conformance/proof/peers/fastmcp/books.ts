export interface ShelfBook {
  id: string
  title: string
  author: string
  added_at: string
}

const titles = [
  ['The Odyssey', 'Homer'],
  ['The Tale of Genji', 'Murasaki Shikibu'],
  ['Don Quixote', 'Miguel de Cervantes'],
  ['The Pillow Book', 'Sei Shonagon'],
  ['Middlemarch', 'George Eliot'],
  ['Moby-Dick', 'Herman Melville'],
  ['Frankenstein', 'Mary Shelley'],
  ['The Trial', 'Franz Kafka'],
  ['To the Lighthouse', 'Virginia Woolf'],
  ['Things Fall Apart', 'Chinua Achebe'],
] as const

/** Five copies of each title, so that a default page does not contain all books. */
export const books: readonly ShelfBook[] = Array.from({ length: 50 }, (_, at) => {
  const [title, author] = titles[at % titles.length]!
  const number = String(at + 1).padStart(3, '0')
  return {
    id: `b-${number}`,
    title: `${title}, copy ${Math.floor(at / titles.length) + 1}`,
    author,
    added_at: new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
  }
})

/** A long note about a book: a page of fifty of these exceeds the limit of characters. */
export const noteOf = ({ id, title }: ShelfBook): string =>
  `Copy ${id} of ${title}. ${'Its pages are complete, and its binding is sound. '.repeat(14)}`
