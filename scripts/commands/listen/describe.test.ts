import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventNames } from '../../../generated/events/contract.ts'
import { describeEvent } from './describe.ts'

const examples = join(import.meta.dirname, '../../../specs/examples/events')

test.each([
  ['push', { ref: 'refs/heads/main', total_commits_count: 3 }, 'main, 3 commits'],
  [
    'push',
    { ref: 'refs/heads/a/b', before: '000', total_commits_count: 1 },
    'a/b created, 1 commit',
  ],
  ['push', { ref: 'refs/heads/a', after: '000', total_commits_count: 0 }, 'a deleted'],
  ['tag_push', { ref: 'refs/tags/v1', before: '000', after: 'a' }, 'v1 created'],
  ['issue', { object_attributes: { iid: 12, action: 'open', title: 'a\nb' } }, '#12 open: a b'],
  ['merge_request', { object_attributes: { iid: 3, action: 'merge' } }, '!3 merge'],
  ['pipeline', { object_attributes: { id: 7, status: 'failed', ref: 'x' } }, '#7 failed on x'],
  ['job', { build_name: 'lint', build_status: 'success', ref: 'x' }, 'lint success on x'],
  ['deployment', { environment: 'prod', status: 'running' }, 'to prod running'],
  ['wiki_page', { object_attributes: { action: 'create', title: 'Home' } }, 'create: Home'],
  ['release', { action: 'create', tag: 'v1' }, 'create: v1'],
  ['release', { action: 'create', tag: 'x'.repeat(100) }, `create: ${'x'.repeat(71)}…`],
  ['issue', { object_attributes: { iid: {}, action: null } }, ''],
  ['issue', [], ''],
  [undefined, { ref: 'x' }, ''],
])('describes %s %j', (event, payload, description) => {
  expect(describeEvent(event, JSON.stringify(payload))).toBe(description)
})

test('a body that is not JSON has no description', () => {
  expect(describeEvent('push', '{')).toBe('')
})

test.each(eventNames)('describes each sample of %s', (event) => {
  const folder = join(examples, event)
  const samples = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(samples.length).toBeGreaterThan(0)
  for (const sample of samples) expect(describeEvent(event, sample)).toMatch(/\w/)
})
