import { expect, test } from 'vitest'
import { findSenders, type SenderGroup } from './senders.ts'

const check = (kind: 'act' | 'watch', requirement: 'IMG-GET-01' | 'IMG-GET-02', title: string) => ({
  kind,
  requirement,
  key: `${requirement} ${title}`,
})
const watch = check('watch', 'IMG-GET-02', 'watches')
const acting = [check('act', 'IMG-GET-01', 'reads'), check('act', 'IMG-GET-01', 'reads again')]
const checks = [watch, ...acting]
const groups = (...sending: string[]): SenderGroup[] => [{ watching: ['IMG-GET-02'], sending }]

test('a group names senders by their requirement or their key', () => {
  expect(findSenders([watch], checks, groups('IMG-GET-01'))).toEqual(
    new Set(acting.map(({ key }) => key)),
  )
  expect(findSenders([watch], checks, groups('IMG-GET-01 reads'))).toEqual(
    new Set(['IMG-GET-01 reads']),
  )
})

test('senders are unknown if a watching check has no group, or a sender no longer exists', () => {
  expect(findSenders([watch], checks, [])).toBeUndefined()
  const renamed = groups('IMG-GET-01 reads', 'IMG-GET-01 an earlier title')
  expect(findSenders([watch], checks, renamed)).toBeUndefined()
  const second = check('watch', 'IMG-GET-02', 'is new')
  expect(findSenders([second], [...checks, second], groups('IMG-GET-01'))).toBeUndefined()
})
