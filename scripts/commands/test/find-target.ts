import { newRedactor, type Secrets } from '../../../conformance/wire/secrets.ts'
import { redactedWord, shellWord } from '../../../conformance/wire/shell.ts'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { allSections, plan, type Selection } from '../../../conformance/suite.ts'
import { flagOf, shownFlagOf, TargetError } from '../../../conformance/target-file/index.ts'
import {
  keys,
  labelsOf,
  loadTarget,
  identifyingKeys,
  secretsOf,
  type Target,
} from '../../../conformance/target.ts'
import { UsageError } from '../../print-error.ts'
import { bundledPattern, patterns, type Pattern } from './patterns.ts'

/** The target of a run. */
export interface RunTarget {
  target: Target
  /** For the first line of the report. */
  name: string
  /** The target file, if there is one. */
  file?: string | undefined
  bundled: boolean
  /** Arguments with which `touchstone test` finds the same target again, without secrets. */
  repeatArguments: string[]
  /** Those of these arguments that `touchstone clean` needs. */
  cleanArguments: string[]
  close(): Promise<void>
}

const file = 'touchstone.yaml'

/**
 * Finds `touchstone.yaml`: in the working directory or one of its parents, up to the root of the
 * repository. Returns its path from the working directory. Undefined if there is no such file.
 */
function findFile(): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = join(folder, file)
    if (existsSync(path)) return relative(process.cwd(), path)
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return undefined
  }
}

const pattern = 'tools.auth.pattern'

interface TargetOptions {
  target?: string
  bundled?: boolean
}

type Flags = Readonly<Record<string, string | boolean>>

/**
 * Finds the target. If none is named, starts the bundled servers that the selected checks need.
 */
export async function findTarget(
  options: TargetOptions,
  flags: Flags,
  selection: Selection,
): Promise<RunTarget> {
  const named = await namedTarget(options, flags)
  if (named === undefined) return bundledServers(flags, selection)
  const secrets = secretsOf(named.target)
  const fromFile = options.target === undefined ? [] : ['--target', shellWord(options.target)]
  return {
    ...named,
    bundled: false,
    repeatArguments: [...fromFile, ...words(flags, secrets)],
    cleanArguments: [
      ...fromFile,
      ...words(flags, secrets, ({ path }) => path !== 'suite.expected'),
    ],
    close: async () => {},
  }
}

/**
 * Loads the target that the user names: the file of --target, or `touchstone.yaml` in this folder
 * or one of its parents. Options set further keys. If an option identifies a server, such as
 * --images-url, `touchstone.yaml` is neither needed nor read. Returns undefined if the bundled
 * servers are to be tested.
 */
export async function namedTarget(
  { target: named, bundled = false }: TargetOptions,
  flags: Flags,
): Promise<Pick<RunTarget, 'target' | 'name' | 'file'> | undefined> {
  // The pattern of authentication does not identify a target, because users can set it for the
  // bundled tool server too.
  const ofTarget = Object.keys(flags).filter(
    (path) => !path.startsWith('suite.') && path !== pattern,
  )
  if (bundled && (named !== undefined || ofTarget.length > 0)) {
    throw new UsageError(
      `--bundled tests the bundled servers and cannot be combined with a target. Remove ${named === undefined ? flagOf(ofTarget[0]!) : '--target'}.`,
    )
  }
  const addressed = identifyingKeys.flat().some((path) => flags[path] !== undefined)
  const found = named ?? (!bundled && !addressed ? findFile() : undefined)
  if (found === undefined && ofTarget.length === 0) return undefined
  const target = await loadTarget({ file: found, flags })
  const names = labelsOf(target).map(newRedactor(secretsOf(target)).sentence)
  if (names.length === 0) {
    throw new TargetError(
      `Nothing to test: ${found ?? 'the command line'} names no server.\nNext: add a section to the target file (${allSections.join(', ')}), or an option: ${identifyingKeys.map(([first]) => flagOf(first!)).join(', ')}.`,
    )
  }
  const source = found === undefined ? '' : ` (${found})`
  return { target, name: `${names.join('; ')}${source}`, file: found }
}

async function bundledServers(flags: Flags, selection: Selection): Promise<RunTarget> {
  const given = new Set(Object.keys(flags))
  const { [pattern]: patternOfTools, ...ofSuite } = flags
  const { suite } = await loadTarget({ flags: ofSuite })
  const { startBundled } = await import('./bundled.ts')
  const planned = await plan(selection)
  const wanted = allSections.filter((section) => planned.some((check) => check.section === section))
  const { target, suite: own, close } = await startBundled(wanted, patternOf(patternOfTools))
  const kept = Object.fromEntries(
    Object.entries(own).filter(([name]) => !given.has(`suite.${name}`)),
  )
  return {
    target: { ...target, suite: { ...suite, ...kept } },
    name: 'the bundled stateful servers',
    bundled: true,
    repeatArguments: words(flags, {}),
    cleanArguments: [],
    close,
  }
}

function patternOf(given: string | boolean | undefined): Pattern {
  const found = patterns.find((name) => name === (given ?? bundledPattern))
  if (found === undefined)
    throw new TargetError(
      `${flagOf(pattern)}  ${pattern} does not accept ${String(given)}. Expected one of ${patterns.join(', ')}`,
    )
  return found
}

/**
 * The options that set these keys. Variables replace secrets, also those in a part of a value.
 * `isNeeded` selects keys.
 */
function words(
  flags: Flags,
  secrets: Secrets,
  isNeeded: (key: { path: string }) => boolean = () => true,
): string[] {
  const redact = newRedactor(secrets)
  // The redactor does not replace a short secret in a part of a value.
  const short = Object.values(secrets).filter((text = '') => text.length > 0 && text.length < 8)
  return Object.entries(flags).flatMap(([path, value]) => {
    if (!isNeeded({ path })) return []
    if (value === true) return [shownFlagOf(path)]
    const { kind, variable } = keys.find((key) => key.path === path) ?? {}
    if (kind === 'secret') return [shownFlagOf(path), `"$${variable}"`]
    const text = String(value)
    const isHidden =
      (kind === 'map' || kind === 'fields') && short.some((secret) => text.includes(secret!))
    return [shownFlagOf(path), isHidden ? "'…'" : redactedWord(text, redact)]
  })
}
