// For people who write faults and variations. Runs the suite against servers with one fault
// (written by hand) or one mutant (generated), and against conforming servers. Tries only those
// whose names start with one of the arguments; without arguments, all.
//
// Usage: node dist/conformance/proof/try.js [NAME...]
//
// Results for a fault or mutant:
// - `killed`: a check of a violated requirement fails or warns.
// - `WRONG REASON`: only other checks fail or warn, or the suite has an error.
// - `SURVIVED`: no check fails or warns.
// - `NEVER DEVIATED`: the fault never took effect.
//
// Results for a conforming server:
// - `sound`: no check fails, has an error or is blocked, and the suite warns only about
//   recommendations that the server does not follow.
// - `UNSOUND`: otherwise.
import { families } from './families.ts'
import { describeFailure } from './jobs.ts'
import { isKilled, isKilledForTheRightReason, newFaultOutcome } from './outcome.ts'
import { buildConfiguration, listConfigurations } from './variations/configurations.ts'
import { judgeServer, narrowToContract, seedOf } from './trial.ts'

const prefixes = process.argv.slice(2)
const isSelected = (name: string) =>
  prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix))

const faults = families
  .flatMap((family) => [...family.faults, ...family.mutants].map((fault) => ({ family, fault })))
  .filter(({ fault }) => isSelected(fault.name))
for (const { family, fault } of faults) {
  let hits = 0
  const verdicts = await judgeServer(family, {
    ...narrowToContract(family),
    seed: seedOf(fault.name),
    deviation: fault.make(() => (hits += 1)),
  })
  const outcome = newFaultOutcome(fault, hits, verdicts)
  const failing = verdicts.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
  const result =
    hits === 0
      ? 'NEVER DEVIATED'
      : isKilledForTheRightReason(outcome)
        ? 'killed'
        : isKilled(outcome) || outcome.errors.length > 0
          ? 'WRONG REASON'
          : 'SURVIVED'
  const others = failing
    .filter(({ requirement }) => !fault.violates.includes(requirement))
    .map(({ key, verdict }) => `${verdict} ${key}`)
  process.stdout.write(
    `${result}  ${fault.name}  ${hits} hits; checks that failed, warned or had an error: ${failing.length}; blocked: ${outcome.blocked}\n`,
  )
  if (others.length > 0) process.stdout.write(`    also: ${others.slice(0, 6).join(' | ')}\n`)
}

const conforming = families
  .flatMap((family) => [
    { family, name: `${family.name} reference`, choices: {}, deviation: {}, unmet: [] },
    ...[...listConfigurations(family.factors, family.exclusions)].map(([name, choice]) => {
      const {
        choices = {},
        deviation = {},
        unmet = [],
      } = buildConfiguration(family.factors, choice)
      return { family, name, choices, deviation, unmet }
    }),
  ])
  .filter(({ name }) => isSelected(name))
for (const { family, name, choices, deviation, unmet } of conforming) {
  const verdicts = await judgeServer(family, {
    ...(name.endsWith(' reference') ? {} : narrowToContract(family)),
    seed: seedOf(name.endsWith(' reference') ? family.name : name),
    choices,
    deviation,
  })
  const wrong = verdicts.filter(
    ({ verdict, requirement }) =>
      ['fail', 'error', 'blocked'].includes(verdict) ||
      (verdict === 'warn' && !unmet.includes(requirement)),
  )
  const passes = verdicts.filter(({ verdict }) => verdict === 'pass').length
  process.stdout.write(`${wrong.length === 0 ? 'sound' : 'UNSOUND'}  ${name}  ${passes} passes\n`)
  for (const verdict of wrong.slice(0, 12))
    process.stdout.write(`    ${verdict.verdict} ${describeFailure(verdict)}\n`)
}
