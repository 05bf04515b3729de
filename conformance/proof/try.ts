// Tries single faults and legal servers by name, for whoever writes them: node dist/conformance/proof/try.js NAME… (all without a name)
import { families } from './families.ts'
import { configurationOf, configurationsOf } from './variations/configurations.ts'
import { narrowed, tryServer } from './trial.ts'

const words = process.argv.slice(2)
const all = families.flatMap((family) =>
  [...family.faults, ...family.mutants].map((fault) => ({ family, fault })),
)
for (const { family, fault } of all.filter(
  ({ fault: { name } }) => words.length === 0 || words.some((word) => name.startsWith(word)),
)) {
  let hits = 0
  const verdicts = await tryServer(family, {
    ...narrowed(family),
    deviation: fault.make(() => (hits += 1)),
  })
  const failing = verdicts.filter(
    ({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error',
  )
  const right = failing.some(({ requirement }) => fault.violates.includes(requirement))
  const others = failing
    .filter(({ requirement }) => !fault.violates.includes(requirement))
    .map(({ key, verdict }) => `${verdict} ${key}`)
  const blocked = verdicts.filter(({ verdict }) => verdict === 'blocked').length
  process.stdout.write(
    `${hits === 0 ? 'NEVER CAME INTO PLAY' : right ? 'killed' : failing.length > 0 ? 'WRONG REASON' : 'SURVIVED'}  ${fault.name}  ${hits} hits, ${failing.length} fails, ${blocked} blocked${others.length > 0 ? `\n    also: ${others.slice(0, 6).join(' | ')}` : ''}\n`,
  )
}

const legal = families.flatMap((family) => [
  { family, name: `${family.name} reference`, choices: {}, deviation: {} },
  ...[...configurationsOf(family.factors, family.exclusions)].map(([name, choice]) => {
    const { choices = {}, deviation = {} } = configurationOf(family.factors, choice)
    return { family, name, choices, deviation }
  }),
])
for (const { family, name, choices, deviation } of legal.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)),
)) {
  const verdicts = await tryServer(family, {
    ...(name.endsWith(' reference') ? {} : narrowed(family)),
    choices,
    deviation,
  })
  const wrong = verdicts.filter(({ verdict }) =>
    ['fail', 'warn', 'error', 'blocked'].includes(verdict),
  )
  const passes = verdicts.filter(({ verdict }) => verdict === 'pass').length
  process.stdout.write(`${wrong.length === 0 ? 'sound' : 'UNSOUND'}  ${name}  ${passes} passes\n`)
  for (const { verdict, key, reason, expectations } of wrong.slice(0, 12)) {
    const broken = expectations.find(({ held }) => !held)
    process.stdout.write(
      `    ${verdict} ${key}: ${broken === undefined ? (reason ?? '').split('\n')[0] : `expected ${broken.expected}, received ${broken.received}`}\n`,
    )
  }
}
