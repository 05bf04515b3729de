import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requirements } from '../../generated/requirements/index.ts'
import { verdictOf } from '../compare/compare.testing.ts'
import { documentationOf, junitOf } from './junit.ts'
import type { Result } from './result.ts'

const failure = verdictOf('IMG-UPLOAD-04', 'fail', {
  expectations: [{ name: 'refused', held: false, expected: 'a refusal', received: '200' }],
})

test('a failure contains its requirement and where it is documented', () => {
  const xml = junitOf({
    suite: { name: 'touchstone', version: '0.1.0' },
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1,
    verdicts: [failure],
    repeat: () => 'touchstone test',
  } as unknown as Result)
  expect(xml).toContain(
    '<property name="requirement" value="IMG-UPLOAD-04"/><property name="documentation" value="generated/REQUIREMENTS.md#img-upload-04"/>',
  )
  expect(xml).toContain(
    '>requirement: IMG-UPLOAD-04, generated/REQUIREMENTS.md#img-upload-04\nrequires: The server refuses',
  )
})

test.each([
  ['no result', 3, [verdictOf('IMG-UPLOAD-04', 'not covered', { reasonCode: 'unreachable' })]],
  ['a run that a failed prerequisite blocks', 1, [verdictOf('IMG-UPLOAD-04', 'blocked')]],
] as const)('%s is an error, because no test failed', (_name, exit, verdicts) => {
  const xml = junitOf({
    suite: { name: 'touchstone', version: '0.1.0' },
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1,
    exit,
    verdicts,
    repeat: () => 'touchstone test',
  } as unknown as Result)
  expect(xml).toContain('tests="2" failures="0" errors="1" skipped="1"')
  expect(xml).toContain('name="the run has a result">\n      <error type="run" message=')
})

test('the package contains the documentation of every requirement at the reported path', () => {
  const page = readFileSync(new URL('../../generated/REQUIREMENTS.md', import.meta.url), 'utf8')
  const missing = Object.keys(requirements).filter((id) => {
    const [path, anchor] = documentationOf(id).split('#')
    return path !== 'generated/REQUIREMENTS.md' || !page.includes(`<a id="${anchor}"></a>${id} |`)
  })
  expect(missing).toEqual([])
})
