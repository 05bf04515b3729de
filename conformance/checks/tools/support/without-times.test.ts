import { expect, test } from 'vitest'
import { withoutTimes } from './without-times.ts'

/** Now, in seconds since 1970. */
const now = Math.floor(Date.now() / 1000)

test.each([
  ['2026-11-30T03:33:12Z', '2026-11-30T03:33:13Z'],
  ['2026-11-30T03:33:12.123+01:00', '2026-12-01T00:00:00.000+01:00'],
  ['2026-11-30 03:33', '2026-11-30 03:34'],
  ['2026-11-30', '2026-12-01'],
  ['30.11.2026', '1.12.2026'],
  ['11/30/26, 9:59 AM', '11/30/26, 10:00 AM'],
  ['Mon Nov 30 2026 23:59:59 GMT+0000', 'Tue Dec 01 2026 00:00:00 GMT+0000'],
  ['Mon, 30 Nov 2026 23:59:59 GMT', 'Tue, 01 Dec 2026 00:00:00 GMT'],
  ['30 November', '1 December'],
  ['2 minutes ago', '3 minutes ago'],
  ['59 s ago', '1 min ago'],
  ['a minute ago', 'just now'],
  [`updated ${now}`, `updated ${now + 1}`],
  [`{"at":${now}.25}`, `{"at":${now + 1}.5}`],
  [now, now + 1],
  [now * 1000 + 123, now * 1000 + 456],
  [now + 0.123, now + 1.456],
  [now * 1e6 + 123, now * 1e6 + 456],
])('%j and %j differ only in their time', (one, other) => {
  expect(withoutTimes({ at: [one] })).toEqual(withoutTimes({ at: [other] }))
})

test.each([
  [41, 42],
  ['id 1234567890', 'id 1234567891'],
  ['id 1861234567890123456', 'id 1861234567890123999'],
  ['3 books', '4 books'],
  ['read by 1200', 'read by 1201'],
  ['version 1.4', 'version 1.5'],
  ['may be lent', 'may not be lent'],
  ['Sunset', 'Monolith'],
  [null, '2026-11-30T03:33:12Z'],
  ['size: 5, modified 03:33:12', 'size: 6, modified 03:33:13'],
])('%j and %j differ', (one, other) => {
  expect(withoutTimes(one)).not.toEqual(withoutTimes(other))
})
