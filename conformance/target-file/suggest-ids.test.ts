import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'
import { suggestIds } from './suggest-ids.ts'

test.each([
  ['EVT-MERGE', ['EVT-MERGEREQUEST']],
  ['EVT-MERGE-01', ['EVT-MERGEREQUEST-01']],
  ['evt-merge-request', ['EVT-MERGEREQUEST']],
  ['EVT-MR', ['EVT-MERGEREQUEST']],
  ['EVT-TAG', ['EVT-TAGPUSH']],
  ['EVT-ISSUES', ['EVT-ISSUE']],
  ['IMG-UPLAOD', ['IMG-UPLOAD']],
  ['IMG-UPLOAD-4', ['IMG-UPLOAD-04']],
  ['IMG-UPLOAD-99', ['IMG-UPLOAD']],
  ['IMG-AUTHENTICATION', ['IMG-AUTH']],
  ['TOOL-PAGINATION', ['TOOL-PAGE']],
  ['MERGE', ['EVT-MERGEREQUEST']],
  ['HOOKS', ['HOOK']],
  ['IMGE-GET-01', ['IMG-GET-01']],
  ['FOO', []],
  ['IMG-XYZ', []],
])('for %s, suggests %j', (word, ids) => {
  expect(suggestIds(word)).toEqual(ids)
})

test('a name that is only begun is completed, if no other name is similar', () => {
  const topics = ['push', 'tag-push', 'merge-request']
  expect(nearest('merge', topics)).toBe('merge-request')
  expect(nearest('pusch', topics)).toBe('push')
  expect(nearest('me', topics)).toBeUndefined()
  expect(nearest('request', topics)).toBeUndefined()
})
