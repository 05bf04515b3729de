import { requirements, type RequirementId } from '../../../generated/requirements/index.ts'
import { exitStatus, totalsOf, type ExchangeRecord, type Verdict } from '../../engine/index.ts'
import { verdictOf as makeVerdict } from '../../engine/judge.ts'
import type { Result } from '../result.ts'

/** A string that a hostile server could return. */
export const hostile =
  'x"\'><script>alert(1)</script><img src="http://evil.test/a.png" onerror="alert(2)"></style></details><a href="javascript:alert(3)">a</a>'

/** Makes the verdict of a check of this requirement. */
export function verdictOf(
  requirement: RequirementId,
  rest: Partial<Verdict> & Pick<Verdict, 'verdict'>,
): Verdict {
  const title = rest.title ?? `tests ${requirement}`
  return makeVerdict(
    { key: `${requirement} ${title}`, requirement, entry: requirements[requirement], title },
    {
      durationMs: 5,
      timing: {
        startMs: 5,
        endMs: 100,
        waits: [{ kind: 'lock', name: 'tokens', fromMs: 10, milliseconds: 40 }],
        slowest: [{ number: 3, operation: 'uploadImage', milliseconds: 40 }],
      },
      ...rest,
    },
  )
}

const exchange: ExchangeRecord = {
  number: 3,
  operation: 'uploadImage',
  request: {
    method: 'POST',
    url: `http://t/images/v1?${'long'.repeat(100)}`,
    headers: { Authorization: 'Bearer $IMAGES_TOKEN' },
    body: 'url=http://p\nfile=@pixel.png',
  },
  response: {
    status: 200,
    headers: [['X-Hostile', hostile]],
    body: JSON.stringify({ success: true, result: { id: hostile, draft: true } }),
  },
  isSelfContained: true,
  curl: `curl -i -H "Authorization: Bearer $IMAGES_TOKEN" 'http://t/images/v1'`,
  milliseconds: 4,
}

/** Verdicts of nearly every kind. */
export const verdicts: Verdict[] = [
  verdictOf('IMG-UPLOAD-04', {
    verdict: 'fail',
    title: 'refuses a file and a URL together',
    expectations: [
      {
        name: 'refused',
        held: false,
        expected: 'status 400, because the request is invalid',
        received: `200  ${hostile}`,
        exchange: 3,
      },
      {
        name: 'no draft',
        held: false,
        expected: 'result.draft false',
        received: 'result.draft true',
        exchange: 4,
      },
      { name: 'envelope', held: true, expected: 'an envelope', received: 'as expected' },
    ],
    exchanges: [exchange, { ...exchange, number: 4 }, { ...exchange, number: 5 }],
    differs: 'only in the added field `url`',
  }),
  verdictOf('IMG-UPLOAD-01', { verdict: 'pass', exchanges: [{ ...exchange, number: 6 }] }),
  verdictOf('IMG-IMAGE-03', { verdict: 'observed', observations: [`a UUID ${hostile}`] }),
  verdictOf('IMG-STATUS-10', {
    verdict: 'warn',
    expectations: [{ name: 'a', held: false, expected: 'one', received: hostile }],
  }),
  verdictOf('IMG-GET-01', {
    verdict: 'blocked',
    blockedBy: 'IMG-UPLOAD-04',
    reason: 'IMG-UPLOAD-04 is not met',
    reasonCode: 'root-failed',
  }),
  verdictOf('IMG-BATCH-01', {
    verdict: 'not covered',
    needs: ['images.batch'],
    reason: 'needs images.batch',
    reasonCode: 'key-missing',
  }),
  verdictOf('IMG-LIST-01', { verdict: 'error', reason: `Error: ${hostile}\n    at line 1` }),
  verdictOf('IMG-DELETE-01', {
    verdict: 'known',
    expectations: [{ name: 'a', held: false, expected: 'one', received: 'two' }],
    expectedFailure: { id: 'IMG-DELETE', reason: hostile },
  }),
]

/** The result of a run with these verdicts. */
export function resultOf(given: readonly Verdict[] = verdicts): Result {
  return {
    suite: { name: 'touchstone', version: '0.1.0' },
    target: {},
    targetName: `http://t ${hostile}`,
    startedAt: '2025-01-02T03:04:05.678Z',
    strict: false,
    seed: 4711,
    planned: given,
    repeat: ({ requirement }) => `npx touchstone test --only ${requirement}`,
    describePath: (path) => [{ name: path, description: 'the batch host' }],
    nameNeeds: (paths) => paths.join(' and '),
    isSet: () => false,
    exchangesFolder: 'report',
    keepsAllExchanges: true,
    verdicts: given,
    left: [hostile],
    proposals: [hostile],
    crashes: [],
    skipped: ['IMG-LIMIT'],
    durationMs: 1234,
    totals: totalsOf(given),
    exit: exitStatus(given),
  }
}
