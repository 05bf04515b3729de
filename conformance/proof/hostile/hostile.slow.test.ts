import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { findProblems } from './judge.ts'
import { programBehaviors } from './programs.ts'
import { runCommand } from './run.ts'
import { behaviorsOf, startHostile, type SubjectName } from './subjects.ts'

/** A sample of `npm run hostile`: behaviors of each kind whose runs are short. */
const sample: readonly (readonly [SubjectName, string])[] = [
  ['images', 'gzip of 15 MB'],
  ['images', 'gzip that is broken'],
  ['images', 'JSON nested 100,000 deep'],
  ['images', 'endless status line'],
  ['images', 'random bytes'],
  ['receiver', 'endless 100 Continue'],
  ['receiver', 'lone surrogates'],
  ['receiver', 'controls for terminals'],
  ['hooks', 'ids with line breaks'],
  ['hooks', 'deep deliveries'],
  ['tools', 'empty chunk sizes'],
  ['tools', 'endless 100 Continue'],
  ['greeting', 'endless greetings'],
  ['greeting', 'nested groups'],
  ['programs', 'lines of 15 MB'],
  ['programs', 'schema that is too large'],
]

/** A run against a plain server of these subjects needs at least this much. */
const plain = { seconds: 60, megabytes: 80 }

test.for(sample)('%s: %s', async ([subject, name]) => {
  const behavior = behaviorsOf[subject].find((one) => one.name === name)!
  const { target, close } = await startHostile(subject, behavior, 1)
  const run = await runCommand(target, 240).finally(close)
  expect(findProblems(behavior, run, plain)).toEqual([])
})

test('every program can be run', () => {
  for (const { name, code } of programBehaviors) expect(() => new Script(code), name).not.toThrow()
})

test('the names of the behaviors of a subject are unique', () => {
  for (const behaviors of Object.values(behaviorsOf)) {
    const names = behaviors.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  }
})
