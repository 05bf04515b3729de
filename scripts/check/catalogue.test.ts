import { expect, it } from 'vitest'
import type { Catalogue, CatalogueEntry } from '../generate/catalogue.ts'
import { checkCatalogues } from './catalogue.ts'

const good: CatalogueEntry = {
  id: 'IMG-SKY-01',
  where: 'Sky',
  says: 'The sky is blue.',
  level: 'must',
  basis: 'stated',
}
const catalogue = (...rows: object[]): Catalogue => ({
  contract: 'images',
  title: 'Images',
  document: 'images.md',
  topics: [{ topic: 'sky', title: 'Sky', rows: rows as CatalogueEntry[] }],
})

it('accepts a good row', () => {
  expect(checkCatalogues([catalogue(good)])).toEqual([])
})

it.each<[string, object[], RegExp]>([
  ['an id of another form', [{ ...good, id: 'IMG-1' }], /IMG-1, .*pattern/],
  ['an id that is taken', [good, { ...good, says: 'It is high.' }], /has the same id/],
  [
    'a sentence that is taken',
    [good, { ...good, id: 'IMG-SKY-02' }],
    /IMG-SKY-02: IMG-SKY-01 has the same sentence/,
  ],
  ['no full stop', [{ ...good, says: 'The sky is blue' }], /full stop/],
  ['a long sentence', [{ ...good, says: 'a'.repeat(160) + '.' }], /160/],
  ['a wish', [{ ...good, says: 'The sky should be blue.' }], /no way to state a fact/],
  ['a derived row without a reason', [{ ...good, basis: 'derived' }], /because/],
  ['a standard row without a standard', [{ ...good, basis: 'standard' }], /standard/],
  ['a reason without derivation', [{ ...good, because: 'so it seems' }], /IMG-SKY-01/],
  ['a key that the target file has not', [{ ...good, needs: ['images.sky'] }], /no images\.sky/],
  ['a level that is none', [{ ...good, level: 'shall' }], /level/],
  ['a member that is none', [{ ...good, weight: 3 }], /weight/],
  [
    'ids of two areas',
    [good, { ...good, id: 'SEA-SKY-01', says: 'It is high.' }],
    /SEA-SKY-01: the id does not begin as those of images do/,
  ],
  [
    'rows out of order',
    [
      { ...good, id: 'IMG-SKY-02' },
      { ...good, says: 'It is high.' },
    ],
    /stands after/,
  ],
])('names %s', (_, rows, expected) => {
  expect(checkCatalogues([catalogue(...rows)]).join('\n')).toMatch(expected)
})
