import { expect, test } from 'vitest'
import { startSuite } from '../../suite.ts'
import { startHonoJwt } from './hono-jwt.ts'
import { suiteDefaults } from '../../target-file/index.ts'

// A widely used library, which shares no code with the mocks, verifies the tokens. It passes every
// check, and the observations agree with its source.
test('the verdicts on tokens that Hono verifies are those that were reviewed', async ({
  onTestFinished,
}) => {
  const { tools, close } = await startHonoJwt()
  onTestFinished(close)
  const run = await startSuite(
    {
      tools,
      suite: {
        ...suiteDefaults,
        settle: 0,
        watch: 1000,
      },
    },
    { selection: { topics: ['jwt'] } },
  )
  const verdicts = await run.verdicts
  await run.finish()
  const lines = verdicts.map(({ key, verdict, blockedBy, observations = [], expectations }) => {
    const details = [
      ...observations,
      ...expectations
        .filter(({ held }) => !held)
        .map(({ name, received }) => `${name}: ${received}`),
    ]
    return [
      `${verdict.padEnd(14)} ${key}${blockedBy === undefined ? '' : ` (${blockedBy})`}`,
      ...details.map((line) => `${' '.repeat(15)}${line}`),
    ].join('\n')
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('hono-jwt.golden.txt')
})
