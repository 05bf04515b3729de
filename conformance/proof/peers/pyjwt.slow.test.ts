import { beforeAll, expect, test } from 'vitest'
import { installTimeoutMs } from '../interop/apt.testing.ts'
import { findPyJwt, startPyJwt } from './pyjwt.testing.ts'
import { listVerdicts } from './reviewed.ts'

let python: string | Error
beforeAll(async () => {
  const log = (line: string) => process.stderr.write(`\n${line}\n`)
  python = await findPyJwt(log).catch((error: Error) => error)
}, installTimeoutMs)

// A widely used library in another language verifies the tokens. Every line of the golden file was
// reviewed; pyjwt.md contains the reasons.
test('the verdicts on tokens that PyJWT verifies are those that were reviewed', async ({
  onTestFinished,
  skip,
}) => {
  if (python instanceof Error) {
    // In CI no test may be skipped.
    if (process.env['CI']) throw python
    return skip(python.message)
  }
  const { tools, validatesCrit, close } = await startPyJwt(python)
  onTestFinished(close)
  await expect(await listVerdicts(tools, { topics: ['jwt'] })).toMatchFileSnapshot(
    validatesCrit ? 'pyjwt.golden.txt' : 'pyjwt-before-2026.golden.txt',
  )
})
