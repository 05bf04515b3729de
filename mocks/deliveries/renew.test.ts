import { describe, expect, test } from 'vitest'
import { renew, shiftTimestamp } from './renew.ts'

const sha = '368737da939944a2ef7dad34fe25daea8c1c2e9e'
const zeros = '0'.repeat(40)
const payload = () => ({
  id: 41,
  iid: 7,
  state_id: 1,
  visibility_level: 20,
  total_commits_count: 3,
  position: 0,
  milestone_id: null,
  assignee_ids: [41, 57],
  user: { id: 41 },
  changes: {
    assignee_id: { previous: null, current: 57 },
    position: { previous: 41, current: 57 },
  },
  before: zeros,
  after: sha,
  short_sha: sha.slice(0, 8),
  unknown: 'deadbeef',
  message: `Revert ${sha.slice(0, 7)} of ${sha}, see 41`,
  commit_url: `https://git.example.com:41/41x/-/commit/${sha}`,
  url: 'https://41/issues/7/41?page=41#41',
  avatar_url: 'https://git.example.com/uploads/41/a.png',
  created_at: '2026-03-02 23:59:58 UTC',
  timestamps: ['2026-03-02T11:18:47+01:00', '2026-03-02T11:18:47.250Z'],
  due: '2026-03-02',
})
const renewed = (seed: number | string) => {
  const renewedPayload = payload()
  renew(renewedPayload, seed)
  return renewedPayload
}

describe('a renewed payload', () => {
  test('depends only on the seed', () => {
    expect(renewed(1)).toEqual(renewed(1))
    for (const other of [2, '1', 'x']) expect(renewed(other).id).not.toBe(renewed(1).id)
  })

  test('has new ids, equal wherever the old ids were equal, and keeps all other numbers', () => {
    const {
      id,
      iid,
      state_id,
      visibility_level,
      total_commits_count,
      position,
      milestone_id,
      assignee_ids,
      user,
      changes,
    } = renewed(1)
    expect([id > 1000, id < 2 ** 31, iid]).toEqual([true, true, id - 34])
    expect([user.id, assignee_ids, changes.assignee_id]).toEqual([
      id,
      [id, id + 16],
      { previous: null, current: id + 16 },
    ])
    expect([
      state_id,
      visibility_level,
      total_commits_count,
      position,
      milestone_id,
      changes.position,
    ]).toEqual([1, 20, 3, 0, null, { previous: 41, current: 57 }])
  })

  test('has new commit ids, whose short forms are still their prefixes, and keeps zeros', () => {
    const { before, after, short_sha, unknown, message, commit_url } = renewed(1)
    expect([before, unknown, after === sha]).toEqual([zeros, 'deadbeef', false])
    expect(after).toMatch(/^[0-9a-f]{40}$/)
    expect([short_sha, message]).toEqual([
      after.slice(0, 8),
      `Revert ${after.slice(0, 7)} of ${after}, see 41`,
    ])
    expect(commit_url).toBe(`https://git.example.com:41/41x/-/commit/${after}`)
  })

  test('has URLs with the new ids', () => {
    const { id, iid, url, avatar_url } = renewed(1)
    expect([url, avatar_url]).toEqual([
      `https://41/issues/${iid}/${id}?page=41#41`,
      `https://git.example.com/uploads/${id}/a.png`,
    ])
  })

  test('shifts all timestamps into the past by the same amount and keeps their formats', () => {
    const { created_at, timestamps, due } = renewed(1)
    const distance =
      Date.parse(created_at.replace(' UTC', 'Z')) - Date.parse('2026-03-02T23:59:58Z')
    expect(distance).toBeLessThan(0)
    expect(timestamps.map((timestamp) => Date.parse(timestamp))).toEqual(
      ['2026-03-02T10:18:47Z', '2026-03-02T11:18:47.250Z'].map(
        (timestamp) => Date.parse(timestamp) + distance,
      ),
    )
    expect(timestamps).toEqual([
      expect.stringMatching(/\d\+01:00$/),
      expect.stringMatching(/\d\.250Z$/),
    ])
    expect([created_at, due]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
      '2026-03-02',
    ])
  })
})

test.each([['2026-13-40 10:00:00 UTC'], ['2026-03-02'], ['soon'], [''], ['2026-03-02T10:00:00']])(
  '%j is not a timestamp',
  (text) => {
    expect(shiftTimestamp(text, 1000)).toBeUndefined()
  },
)
