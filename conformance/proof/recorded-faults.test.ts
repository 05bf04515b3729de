import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { families } from './families.ts'
import type { KillMatrix } from './matrix.ts'
import { formatFaults, recordFaults } from './recorded-faults.ts'

test('the recorded faults are those of the kill matrix: if not, run npm run proof -- --faults', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  const matrix = JSON.parse(await read('kill-matrix.json')) as KillMatrix
  const recorded = await read('../recorded-faults.json')
  expect(recorded === formatFaults(recordFaults(matrix, families))).toBe(true)
})

test('a fault is listed for each requirement whose checks find it', () => {
  const fault = (name: string) => ({
    name,
    description: `Does ${name}.`,
    violates: [],
    make: Object,
  })
  const family = {
    faults: [fault('two'), fault('one'), fault('not-tried')],
    mutants: [{ ...fault('getImage success: /id null'), messageKind: 'getImage success' }],
  }
  const matrix = {
    one: ['IMG-GET-01'],
    two: ['IMG-GET-01', 'IMG-AUTH-01'],
    'getImage success: /id null': ['IMG-AUTH-01'],
  }
  expect(recordFaults(matrix, [family])).toEqual({
    'IMG-AUTH-01': { written: { two: 'Does two.' }, generated: ['getImage success: /id null'] },
    'IMG-GET-01': { written: { two: 'Does two.', one: 'Does one.' }, generated: [] },
  })
})
