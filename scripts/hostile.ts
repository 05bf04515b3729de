import { parseArgs } from 'node:util'
import { findProblems, secondsFor } from '../conformance/proof/hostile/judge.ts'
import { runCommand, type RunOutcome } from '../conformance/proof/hostile/run.ts'
import {
  behaviorsOf,
  startHostile,
  startPlain,
  subjectNames,
  type SubjectName,
} from '../conformance/proof/hostile/subjects.ts'

const help = `Runs "touchstone test" against hostile targets. No verdict may blame the suite, no harmful target
may be called conformant. Each run may take 60 s plus 3 times the duration of a run against the plain
server, and may use at most 250 MB more memory than that run.

  npm run hostile                      every subject, for about an hour
  npm run hostile -- --subject images  one subject: ${subjectNames.join(', ')}
  npm run hostile -- --only gzip       behaviors whose names start with "gzip"
  npm run hostile -- --workers 1       number of runs at the same time, 2 by default

Exits with 0 if no run has a problem, with 1 otherwise.
`

const seed = 1

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h' },
      subject: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      workers: { type: 'string', default: '2' },
    },
  })
  if (values.help === true) {
    process.stdout.write(help)
    return 0
  }
  const isWanted = (subject: SubjectName) => values.subject?.includes(subject) ?? true
  let runs = 0
  let withProblems = 0
  for (const subject of subjectNames.filter(isWanted)) {
    const behaviors = behaviorsOf[subject].filter(
      ({ name }) => values.only?.some((prefix) => name.startsWith(prefix)) ?? true,
    )
    if (behaviors.length === 0) continue
    const plain = await runAgainst(() => startPlain(subject, seed), 600)
    process.stdout.write(lineOf(subject, 'plain', plain, []))
    if (plain.verdicts.length === 0)
      throw new Error(`the plain server of ${subject} was not tested:\n${plain.output}`)
    const worker = async () => {
      for (let next = behaviors.shift(); next !== undefined; next = behaviors.shift()) {
        const behavior = next
        const run = await runAgainst(
          () => startHostile(subject, behavior, seed),
          // A little more, so that a run that is too long is still measured.
          secondsFor(plain) + 30,
        )
        const problems = findProblems(behavior, run, plain)
        runs += 1
        if (problems.length > 0) withProblems += 1
        process.stdout.write(lineOf(subject, behavior.name, run, problems))
      }
    }
    await Promise.all(Array.from({ length: Number(values.workers) }, worker))
  }
  process.stdout.write(`${runs} runs, ${withProblems} with problems\n`)
  return withProblems === 0 ? 0 : 1
}

async function runAgainst(
  start: () => Promise<{ target: string; close(): Promise<void> }>,
  maxSeconds: number,
): Promise<RunOutcome> {
  const { target, close } = await start()
  try {
    return await runCommand(target, maxSeconds)
  } finally {
    await close()
  }
}

function lineOf(subject: string, name: string, run: RunOutcome, problems: string[]): string {
  const failed = run.verdicts.filter(({ verdict }) => verdict === 'fail').length
  const figures = `exit ${run.exit ?? 'none'}, ${run.seconds.toFixed(1)} s, ${run.megabytes?.toFixed(0) ?? '?'} MB, ${failed} of ${run.verdicts.length} checks failed`
  return [
    `${subject}  ${name}: ${figures}`,
    ...problems.map((problem) => `    ${problem}`),
    '',
  ].join('\n')
}

process.exitCode = await main(process.argv.slice(2))
