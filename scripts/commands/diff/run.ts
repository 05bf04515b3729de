import pc from 'picocolors'
import { showHidden } from '../../../conformance/engine/hidden-characters.ts'
import { UsageError } from '../../print-error.ts'
import type { ContractChange, Direction, Level } from './change.ts'
import { compareFiles } from './compare.ts'
import { pairFiles, type VersionPair } from './pairs.ts'

/** The options as commander returns them. */
interface Options {
  direction?: string
  breaking?: boolean
  json?: boolean
}

/** The changes of one file. */
interface FileChanges {
  readonly file: string
  readonly changes: readonly ContractChange[]
}

const directions: readonly Direction[] = ['sent', 'received', 'both']

/** Runs `touchstone diff`: prints the changes. Exits with 1 if one of them is breaking. */
export function run(older: string, newer: string, options: Options): void {
  const { direction = 'both', breaking = false, json = false } = options
  if (!directions.includes(direction as Direction))
    throw new UsageError(
      `--direction ${direction} is not known.\nNext: choose one of ${directions.join(', ')}.`,
    )
  const all = pairFiles(older, newer).map((pair) => changesOf(pair, direction as Direction))
  const counts = countLevels(all)
  const shown = breaking
    ? all.map(({ file, changes }) => ({ file, changes: changes.filter(isBreaking) }))
    : all
  process.stdout.write(
    json ? `${JSON.stringify({ ...counts, files: shown })}\n` : report(shown, counts),
  )
  if (counts.breaking > 0) process.exitCode = 1
}

const isBreaking = ({ level }: ContractChange) => level === 'breaking'

function changesOf({ name, older, newer }: VersionPair, direction: Direction): FileChanges {
  if (older === undefined)
    return { file: name, changes: [ofFile('compatible', 'file-added', 'the contract was added')] }
  if (newer === undefined)
    return { file: name, changes: [ofFile('breaking', 'file-removed', 'the contract was removed')] }
  return { file: name, changes: compareFiles(older, newer, direction) }
}

const ofFile = (level: Level, code: string, text: string): ContractChange => ({
  level,
  code,
  place: 'contract',
  text,
})

type Counts = { readonly [L in Level]: number }

function countLevels(files: readonly FileChanges[]): Counts {
  const count = (level: Level) =>
    files.flatMap(({ changes }) => changes).filter((change) => change.level === level).length
  return {
    breaking: count('breaking'),
    compatible: count('compatible'),
    documentation: count('documentation'),
  }
}

function report(files: readonly FileChanges[], counts: Counts): string {
  const label: { readonly [L in Level]: string } = {
    breaking: pc.red('breaking     '),
    compatible: pc.green('compatible   '),
    documentation: pc.dim('documentation'),
  }
  const blocks = files
    .filter(({ changes }) => changes.length > 0)
    .map(({ file, changes }) =>
      [
        pc.bold(showHidden(file)),
        ...changes.map(
          ({ level, place, text }) =>
            `  ${label[level]}  ${showHidden(`${place === '' ? '' : `${place.replace(/:$/, '')}: `}${text}`)}`,
        ),
      ].join('\n'),
    )
  const total = counts.breaking + counts.compatible + counts.documentation
  const summary =
    total === 0
      ? 'The contracts are the same.'
      : `${counts.breaking} breaking, ${counts.compatible} compatible, ${counts.documentation} in the documentation only`
  return `${[...blocks, summary].join('\n\n')}\n`
}
