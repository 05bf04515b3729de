import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { loadSubject, subjects } from '../../conformance/checks/index.ts'
import { startSuite } from '../../conformance/suite.ts'
import { loadTarget } from '../../conformance/target.ts'
import { chainOf, type Chain, type Unit } from './units.ts'

// Runs the suite once in this process, without a limit on concurrency, and records when each check
// sent its requests. Reports the longest chain of dependent requests to the parent process.
const units = new Map<string, Unit>()
const currentUnit = new AsyncLocalStorage<Unit>()
const unitOf = (name: string): Unit => {
  if (!units.has(name)) units.set(name, { name, steps: [], after: [] })
  return units.get(name)!
}

for (const subject of await Promise.all(subjects.map(loadSubject))) {
  for (const check of subject.checks) {
    if (check.kind !== 'act') continue
    const { run: runCheck } = check
    const unit = unitOf(check.key)
    if (check.root !== undefined && check.root !== check.requirement)
      unit.after = subject.checks
        .filter(({ requirement }) => requirement === check.root)
        .map(({ key }) => key)
    Object.assign(check, { run: (world: never) => currentUnit.run(unit, () => runCheck(world)) })
  }
  const { open } = subject
  Object.assign(subject, {
    open: (...given: Parameters<typeof open>) => {
      const opened = open(...given)
      return {
        ...opened,
        world: (context: Parameters<typeof opened.world>[0]) => opened.world(recordShared(context)),
      }
    },
  })
}

/**
 * Records the creation of state that checks share as a separate unit. The requests of this unit
 * count in the chain of every check that waits for that state.
 */
function recordShared<
  C extends Parameters<ReturnType<Awaited<ReturnType<typeof loadSubject>>['open']>['world']>[0],
>(context: C): C {
  const { shared } = context
  const counted: C['shared'] = async (name, make) => {
    const unit = unitOf(`shared ${name}`)
    const from = performance.now()
    const made = await shared(name, (inner) =>
      currentUnit.run(unit, () => make(recordShared(inner))),
    )
    currentUnit.getStore()?.steps.push({ from, to: performance.now(), waitsFor: unit.name })
    return made
  }
  return { ...context, shared: counted }
}

const starts = new WeakMap<object, { unit: Unit; from: number }>()
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: object }
  const unit = currentUnit.getStore()
  if (unit !== undefined) starts.set(request, { unit, from: performance.now() })
})
subscribe('http.client.response.finish', (message) => {
  const start = starts.get((message as { request: object }).request)
  start?.unit.steps.push({ from: start.from, to: performance.now() })
})

const target = await loadTarget({ file: process.argv[2], flags: { 'suite.concurrency': '100000' } })
const suiteRun = await startSuite(target)
await suiteRun.verdicts
await suiteRun.finish()
process.send?.(chainOf(units) satisfies Chain)
