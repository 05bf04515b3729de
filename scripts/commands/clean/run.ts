import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadSubject, subjects } from '../../../conformance/checks/index.ts'
import type { Leftovers } from '../../../conformance/checks/shared/journal.ts'
import {
  newGate,
  printableJson,
  processClock,
  showHidden,
} from '../../../conformance/engine/index.ts'
import { JournalFile, journalName, readJournal } from '../../../conformance/journal-file.ts'
import { secretsOf, type Target } from '../../../conformance/target.ts'
import { readTargetFile } from '../../../conformance/target-file/file.ts'
import { whyUnreadable } from '../../../conformance/target-file/user-file.ts'
import { newRedactor } from '../../../conformance/wire/secrets.ts'
import { UsageError } from '../../print-error.ts'
import type { CleanOptions } from '../clean.ts'
import { namedTarget } from '../test/find-target.ts'
import { countOf } from '../test/prepare.ts'
import { setKeys } from '../test/set-keys.ts'

/** Runs `touchstone clean`. */
export async function run(options: CleanOptions): Promise<void> {
  const path = join(options.report, journalName)
  // Reads the target file first, so that a wrong file name is reported even if nothing is left.
  if (options.target !== undefined) readTargetFile(options.target, options.target)
  const { sections } = read(path)
  const listed = [...sections.values()].flatMap(linesOf)
  if (options.forget === true) rmSync(path, { force: true })
  if (options.dryRun === true || options.forget === true || listed.length === 0)
    return print(options, path, { removed: 0, left: options.forget === true ? [] : listed })

  const named = await namedTarget(options, await setKeys(options, options))
  if (named === undefined)
    throw new UsageError(
      `${path} lists ${countOf(listed.length)}, but the target is missing.\nNext: name the target of that run, for example with --target FILE.`,
    )
  const { target } = named
  const redact = newRedactor(secretsOf(target))
  const journal = new JournalFile(path, redact)
  const left: string[] = []
  for (const [section, leftovers] of sections)
    left.push(
      ...(await cleanSection(section, leftovers, {
        target,
        journal,
        force: options.force === true,
      })),
    )
  const remaining = journal.close()
  print(options, path, {
    removed: listed.length - remaining,
    left: left.map(redact.sentence),
  })
  process.exitCode = left.length > 0 ? 1 : 0
}

/** Removes what a run left on the server of a section. Returns a line for each remaining thing. */
async function cleanSection(
  section: string,
  leftovers: Leftovers,
  { target, journal, force }: { target: Target; journal: JournalFile; force: boolean },
): Promise<string[]> {
  const entry = subjects.find((one) => one.section.name === section)
  if (entry === undefined || target[entry.section.name] === undefined)
    return linesOf(leftovers).map((line) => `${line}: the target has no section ${section}`)
  const subject = await loadSubject(entry)
  if (subject.cleanLater === undefined)
    return linesOf(leftovers).map((line) => `${line}: the suite cannot remove it`)
  const { concurrency, pace, timeout, rateLimitWait } = target.suite
  const clock = processClock
  return subject.cleanLater(
    target[entry.section.name] as never,
    {
      gate: newGate({ concurrency, pace, clock }),
      clock,
      timeout,
      rateLimitWait,
      secrets: secretsOf(target),
      suite: target.suite,
      journal: journal.of(section),
    },
    leftovers,
    { force },
  )
}

/** A line for each thing that a run left. */
const linesOf = ({ undos, unanswered }: Leftovers): string[] => [
  ...undos.map(({ method, url, name }) => name ?? `${method} ${url}`),
  ...[...unanswered.values()].map(
    ({ method, url, mark }) => `what ${method} ${url} possibly created, with ${mark} in its name`,
  ),
]

function read(path: string): ReturnType<typeof readJournal> {
  try {
    return readJournal(path)
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read: ${whyUnreadable(error)}\nNext: name the folder of the reports of that run with --report.`,
    )
  }
}

function print(
  { json = false, dryRun = false, forget = false }: CleanOptions,
  path: string,
  { removed, left }: { removed: number; left: readonly string[] },
): void {
  if (json) return void process.stdout.write(`${printableJson({ removed, left }, 2)}\n`)
  const lines = forget
    ? [`${path} is deleted.`]
    : left.length === 0 && removed === 0
      ? [`Nothing is left: ${path} does not exist, or lists nothing.`]
      : [
          ...(dryRun ? [] : [`Removed ${countOf(removed)}.`]),
          ...(left.length === 0
            ? ['Nothing is left.']
            : [
                dryRun ? 'Left on the server:' : 'Could not be removed:',
                ...left.map((line) => `  ${showHidden(line)}`),
              ]),
        ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
