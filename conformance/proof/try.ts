// Tries single faults by name, for whoever writes them: node dist/conformance/proof/try.js NAME… (all without a name)
import { families } from './families.ts'
import { tryServer } from './trial.ts'

const words = process.argv.slice(2)
const all = families.flatMap((family) => [...family.faults, ...family.mutants].map((fault) => ({ family, fault })))
for (const { family, fault } of all.filter(({ fault: { name } }) => words.length === 0 || words.some((word) => name.startsWith(word)))) {
  let hits = 0
  const verdicts = await tryServer(family, { deviation: fault.make(() => (hits += 1)) })
  const failing = verdicts.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error')
  const right = failing.some(({ requirement }) => fault.violates.includes(requirement))
  const others = failing.filter(({ requirement }) => !fault.violates.includes(requirement)).map(({ key, verdict }) => `${verdict} ${key}`)
  const blocked = verdicts.filter(({ verdict }) => verdict === 'blocked').length
  process.stdout.write(
    `${hits === 0 ? 'NEVER CAME INTO PLAY' : right ? 'killed' : failing.length > 0 ? 'WRONG REASON' : 'SURVIVED'}  ${fault.name}  ${hits} hits, ${failing.length} fails, ${blocked} blocked${others.length > 0 ? `\n    also: ${others.slice(0, 6).join(' | ')}` : ''}\n`,
  )
}
