import { expect, it } from 'vitest'
import type { Catalogue, CatalogueEntry } from '../generate/catalogue.ts'
import { checkCatalogues } from './catalogue.ts'

const good: CatalogueEntry = {
  id: 'IMG-SKY-01',
  where: 'Sky',
  statement: 'The sky is blue.',
  level: 'must',
  basis: 'stated',
}
const catalogue = (...entries: object[]): Catalogue => ({
  contract: 'images',
  title: 'Images',
  document: 'images.md',
  topics: [{ topic: 'sky', title: 'Sky', requirements: entries as CatalogueEntry[] }],
})

it('accepts a valid entry', () => {
  expect(checkCatalogues([catalogue(good)])).toEqual([])
})

it('accepts identifiers in code font, and gRPC', () => {
  const statement = 'If `is_blue` is `true`, gRPC and `GET /sky` return the `Sky-Color` header.'
  expect(checkCatalogues([catalogue({ ...good, statement })])).toEqual([])
})

it.each<[string, object[], RegExp]>([
  ['an id in another format', [{ ...good, id: 'IMG-1' }], /IMG-1, .*pattern/],
  ['a duplicate id', [good, { ...good, statement: 'It is high.' }], /has the same id/],
  [
    'a duplicate statement',
    [good, { ...good, id: 'IMG-SKY-02' }],
    /IMG-SKY-02: IMG-SKY-01 has the same statement/,
  ],
  ['no full stop', [{ ...good, statement: 'The sky is blue' }], /full stop/],
  ['a long statement', [{ ...good, statement: 'a'.repeat(170) + '.' }], /170/],
  ...['is_blue', 'isBlue', 'Sky-Color', 'GET', '/sky', '{sky}', 'true', 'null'].map(
    (name): [string, object[], RegExp] => [
      `${name} without code font`,
      [{ ...good, statement: `The sky has ${name} here.` }],
      /IMG-SKY-01: ".*" is not between backticks/,
    ],
  ),
  [
    'a backtick without a partner',
    [{ ...good, statement: 'The sky is `blue.' }],
    /backtick has no partner/,
  ],
  [
    'a reason without code font',
    [{ ...good, basis: 'derived', because: 'the sky is_blue' }],
    /"is_blue" is not between backticks/,
  ],
  ['a wish', [{ ...good, statement: 'The sky should be blue.' }], /expresses a wish/],
  ['a derived entry without a reason', [{ ...good, basis: 'derived' }], /because/],
  ['an entry based on a standard without a standard', [{ ...good, basis: 'standard' }], /standard/],
  ['a reason without a derivation', [{ ...good, because: 'so it seems' }], /IMG-SKY-01/],
  ['an unknown key of the target file', [{ ...good, needs: ['images.sky'] }], /no images\.sky/],
  ['an unknown level', [{ ...good, level: 'shall' }], /level/],
  ['an unknown member', [{ ...good, weight: 3 }], /weight/],
  [
    'ids of two areas',
    [good, { ...good, id: 'SEA-SKY-01', statement: 'It is high.' }],
    /SEA-SKY-01: the id does not start with IMG/,
  ],
  [
    'entries out of order',
    [
      { ...good, id: 'IMG-SKY-02' },
      { ...good, statement: 'It is high.' },
    ],
    /must come before/,
  ],
])('reports %s', (_, entries, expected) => {
  expect(checkCatalogues([catalogue(...entries)]).join('\n')).toMatch(expected)
})
