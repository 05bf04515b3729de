import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, constants, setPriority, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  describeOutcome,
  listWorse,
  summarizeBlind,
  updateRecords,
  type BlindRecords,
} from '../conformance/proof/blind-record.ts'
import { families as allFamilies } from '../conformance/proof/families.ts'
import { computeFigures, listProblems } from '../conformance/proof/figures.ts'
import {
  listLowered,
  newKillMatrix,
  formatKillMatrix,
  type KillMatrix,
} from '../conformance/proof/matrix.ts'
import {
  countConfigurations,
  judgeReferences,
  quickParts,
  prove,
} from '../conformance/proof/prove.ts'
import type { JobResult } from '../conformance/proof/jobs.ts'
import { formatFaults, recordFaults } from '../conformance/proof/recorded-faults.ts'
import { renderProof } from '../conformance/proof/render.ts'
import { formatSenders, groupSenders, listStaleSenders } from '../conformance/proof/senders.ts'
import { senderGroups } from '../conformance/recorded-senders.ts'
import { plan } from '../conformance/suite.ts'

const help = `Tests the suite: every broken server must fail a check of a requirement that it violates, and
no conforming server may fail a check.

  npm run proof                       the whole proof; if it holds, writes PROOF.md and
                                      kill-matrix.json in conformance/proof/, and
                                      conformance/recorded-faults.json, and adds to
                                      conformance/recorded-senders.ts
  npm run proof -- --blind            also the blind implementations, for hours more; if the proof
                                      holds, also writes blind/record.json
  npm run proof -- --blind-only       only the blind implementations: prints what was found about each
                                      switch, and writes blind/record.json at the end;
                                      with --family jwt, only the one named jwt; with --only PREFIX,
                                      only the switches whose names start with PREFIX;
                                      with --choices, only allowed choices;
                                      with --missed, only violations that were not found before
  npm run proof -- --update           a shorter proof: judges every fault by the checks of its
                                      topics, and by all checks if these find less than
                                      kill-matrix.json contains. If the proof holds, adds new
                                      faults and senders to the same files
  npm run proof -- --check            the proof of CI: judges every fault by the checks of its
                                      requirements, and by all checks if these find less; tries
                                      every allowed behavior in at least one conforming server,
                                      and all null targets. Compares with the committed files
  npm run proof -- --quick            the same with a twentieth of the faults, a quarter of the
                                      allowed behaviors that cannot be combined, and a twentieth
                                      of the other conforming servers. Compares with
                                      kill-matrix.json and recorded-senders.ts
  npm run proof -- --quick --part 3   selects the twentieth, from 0 to 19; by default, it changes each
                                      day
  npm run proof -- --senders          judges only the references, and writes
                                      conformance/recorded-senders.ts: which checks run if a user
                                      selects a check that examines their messages. Takes a minute
                                      or two; run this after you have changed titles of checks
  npm run proof -- --faults           starts no server; writes conformance/recorded-faults.json, which
                                      touchstone docs reads: the descriptions of the faults in
                                      kill-matrix.json. Run this after you have changed a description
  npm run proof -- --background       lets other processes run first
  npm run proof -- --family hooks     one family; with --blind, updates this family in
                                      blind/record.json
  npm run proof -- --only deleted     the faults, mutants, conforming servers and null targets
                                      whose names start with "deleted"

Other forms write no files. Exits with 0 if the proof holds, with 1 otherwise.
`

// The proof's files are next to the sources, even if this script is compiled.
const root = new URL(import.meta.url.includes('/dist/scripts/') ? '../../' : '../', import.meta.url)
const proofFile = (name: string) => fileURLToPath(new URL(`conformance/proof/${name}`, root))
const faultsFile = fileURLToPath(new URL('conformance/recorded-faults.json', root))
const sendersFile = fileURLToPath(new URL('conformance/recorded-senders.ts', root))

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    return 0
  }
  // Sets the priority before the workers start, because they inherit it. No verdict depends on it.
  if (args.includes('--background')) setPriority(constants.priority.PRIORITY_LOW)
  const isCheck = args.includes('--check')
  const isUpdate = args.includes('--update')
  const isQuick = args.includes('--quick')
  const isBlindOnly = args.includes('--blind-only')
  const withBlind = isBlindOnly || args.includes('--blind')
  const valuesOf = (option: string) =>
    args.flatMap((arg, index) => (args[index - 1] === option ? [arg] : []))
  const [namePrefixes, families] = [valuesOf('--only'), valuesOf('--family')]
  const part = Number(valuesOf('--part')[0] ?? Math.floor(Date.now() / 86_400_000) % quickParts)
  const recorded = JSON.parse(await readFile(proofFile('kill-matrix.json'), 'utf8')) as KillMatrix
  const blindRecords = JSON.parse(
    await readFile(proofFile('blind/record.json'), 'utf8'),
  ) as BlindRecords
  if (args.includes('--faults')) {
    await writeFile(faultsFile, formatFaults(recordFaults(recorded, allFamilies)))
    return 0
  }
  const started = performance.now()
  const workers = countWorkers()
  if (args.includes('--senders')) {
    await writeFile(sendersFile, formatSenders(groupSenders(await judgeReferences(workers))))
    return 0
  }
  const proof = await prove({
    workers,
    families,
    namePrefixes,
    ...(withBlind ? { blind: isBlindOnly ? ('only' as const) : ('as well' as const) } : {}),
    blindRecords,
    selectsSwitch: selectSwitches(args, blindRecords),
    ...(isQuick
      ? { narrow: { recorded, scope: 'requirements' as const, part } }
      : isCheck
        ? { narrow: { recorded, scope: 'requirements' as const } }
        : isUpdate
          ? { narrow: { recorded, scope: 'topics' as const } }
          : {}),
    progress,
  })
  // The faults for requirements of authentication are in three families. If --family selects
  // families, but not all three, the requirements of authentication are omitted.
  const hasAuth = ['tools', 'jwt', 'oauth'].every((family) => families.includes(family))
  const checks = (await plan()).filter(
    ({ section, contract }) =>
      families.length === 0 || (families.includes(section) && (contract !== 'auth' || hasAuth)),
  )
  const checked = new Set(checks.map(({ requirement }) => requirement as string))
  const figures = computeFigures(proof, checked)
  const isPartial = isBlindOnly || namePrefixes.length > 0 || families.length > 0
  // Some problems can be found only if all faults are tried: expectations that detect no fault,
  // doors without a fault, and requirements with few faults.
  const isComplete = namePrefixes.length === 0 && !isQuick && !isBlindOnly
  const problems = listProblems(
    isComplete ? figures : { ...figures, deadExpectations: [], fewFaults: [], openDoors: [] },
  )
  const matrix = newKillMatrix(proof)
  const records = withBlind ? updateRecords(blindRecords, proof.blind) : blindRecords
  problems.push(...listWorse(blindRecords, proof.blind))
  if (isQuick || ((isCheck || isUpdate) && !isPartial)) {
    const tried = Object.entries(recorded).filter(([fault]) => !isQuick || fault in matrix)
    problems.push(
      ...listLowered(Object.fromEntries(tried), matrix).map(
        (fault) =>
          `the suite finds less than kill-matrix.json records: ${fault}; correct the check, or delete the entry if that is intended`,
      ),
    )
    const added = Object.keys(matrix).filter((fault) => !(fault in recorded) && !isUpdate)
    problems.push(
      ...added.map(
        (fault) => `not in kill-matrix.json yet: ${fault}; run npm run proof and commit the file`,
      ),
    )
  }
  if ((isCheck || isQuick) && !isPartial)
    problems.push(...listStaleSenders(senderGroups, proof.references))
  if (
    isCheck &&
    !isPartial &&
    figuresOfPage(await readFile(proofFile('PROOF.md'), 'utf8')) !==
      figuresOfPage(
        renderProof(proof, { ...figures, variations: countConfigurations() }, checked, records),
      )
  ) {
    problems.push(
      'the figures of PROOF.md are not those of this run: run npm run proof, review the changes and commit them',
    )
  }
  if (!isCheck && !isQuick && !isPartial && problems.length === 0) {
    await writeFile(proofFile('PROOF.md'), renderProof(proof, figures, checked, records))
    // With --update, faults are judged only by the checks of their topics. The committed entries
    // come from all checks, so they are kept.
    const newMatrix = isUpdate ? { ...matrix, ...recorded } : matrix
    await writeFile(proofFile('kill-matrix.json'), formatKillMatrix(newMatrix))
    await writeFile(faultsFile, formatFaults(recordFaults(newMatrix, allFamilies)))
    await writeFile(proofFile('blind/record.json'), `${JSON.stringify(records, null, 1)}\n`)
    await writeFile(sendersFile, formatSenders(groupSenders(proof.references, senderGroups)))
  }
  if (withBlind && isPartial && problems.length === 0)
    await writeFile(proofFile('blind/record.json'), `${JSON.stringify(records, null, 1)}\n`)
  for (const line of summarizeBlind(proof.blind)) process.stdout.write(`${line}\n`)
  if (isQuick)
    process.stdout.write(
      `faults, mutants and other conforming servers: part ${part} of ${quickParts} (--part ${part} repeats it); ${proof.rejudged} faults judged again by all checks\n`,
    )
  process.stdout.write(
    `${problems.map((problem) => `${problem}\n`).join('')}${summary(figures, isComplete)}\n`,
  )
  process.stdout.write(
    `${problems.length === 0 ? 'The proof holds' : `${problems.length} problems`}, ${Math.round((performance.now() - started) / 1000)} s\n`,
  )
  return problems.length === 0 ? 0 : 1
}

/**
 * Returns the part of the page that must be the same in every run: the table above the first
 * section. The sections can differ because of races. The figures of the blind implementations are
 * compared with their records instead.
 */
function figuresOfPage(page: string): string {
  return page.slice(0, page.indexOf('\n## '))
}

/** Which switches of the blind implementations the options select. */
function selectSwitches(
  args: readonly string[],
  records: BlindRecords,
): NonNullable<Parameters<typeof prove>[0]['selectsSwitch']> {
  const [choices, missed] = [args.includes('--choices'), args.includes('--missed')]
  if (!choices && !missed) return () => true
  return (implementation, { name, kind }) =>
    kind === 'choice' ? choices : missed && !(name in (records[implementation]?.caught ?? {}))
}

function summary(
  {
    faults,
    mutants,
    killed,
    rightReason,
    variations,
    falseFailures,
    expectations,
    deadExpectations,
  }: ReturnType<typeof computeFigures>,
  withExpectations: boolean,
): string {
  const found = `${faults} faults and ${mutants} mutants: ${killed} killed, ${rightReason} for the right reason; ${variations} conforming servers: ${falseFailures.length} failures`
  return withExpectations
    ? `${found}; ${expectations} expectations: ${deadExpectations.length} kill nothing`
    : found
}

/**
 * Four workers for each processor (at most sixteen), because trials often only wait, such as for
 * deliveries that a broken server never sends. A worker uses at most about 350 MB. At most one for
 * each GiB of memory is started, because tests may run at the same time.
 */
const countWorkers = (): number =>
  Math.max(2, Math.min(16, 4 * availableParallelism(), Math.floor(totalmem() / 2 ** 30)))

/** Reports the progress, and what was found about a blind implementation, which takes minutes. */
function progress(done: number, total: number, latest: JobResult): void {
  if (latest.kind === 'blind') process.stdout.write(`${describeOutcome(latest)}\n`)
  if (process.stderr.isTTY)
    process.stderr.write(done === total ? '\r\x1b[K' : `\r${done} of ${total}`)
  else if (done % 200 === 0) process.stderr.write(`${done} of ${total}\n`)
}

process.exitCode = await main(process.argv.slice(2))
