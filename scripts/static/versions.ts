// Checks the versions of the contracts. Compares specs/bundled with the last release, in
// specs/released: a breaking change needs a new major version, a compatible one a minor version,
// and any other change a patch version. With --accept, the bundled contracts become the release.
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ContractChange } from '../commands/diff/change.ts'
import { compareFiles } from '../commands/diff/compare.ts'
import { contractNames } from '../contracts.ts'
import { root } from '../generate/source.ts'
import { runIfMain } from './report.ts'

const acceptCommand = 'npm run versions -- --accept'
const versionsFile = 'versions.json'

/** The files of each contract in specs/bundled. */
const filesOf: { readonly [contract: string]: readonly string[] } = {
  images: ['images-account.json', 'images-batch.json', 'images-upload.json'],
  hooks: ['hooks.json'],
  events: ['events.json'],
  greeting: ['greeting.proto'],
  tools: ['tools.json'],
  auth: ['auth.json'],
}

type Versions = { [contract: string]: string }
type Step = 'patch' | 'minor' | 'major'
const steps: readonly Step[] = ['patch', 'minor', 'major']

/** Returns the problems of the versions in a folder like specs/. */
export function checkVersions(folder = join(root, 'specs')): string[] {
  const versions = readVersions(join(folder, versionsFile))
  const names = contractNames()
  const unknown = Object.keys(versions).filter((contract) => !names.includes(contract))
  return [
    ...unknown.map((contract) => `${versionsFile}: there is no contract ${contract}`),
    ...names.flatMap((contract) => {
      const version = versions[contract] ?? ''
      if (parseVersion(version) === undefined)
        return [`${contract}: ${versionsFile} contains no version such as 1.0.0`]
      return [
        ...checkDocuments(folder, contract, version),
        ...checkChangelog(folder, contract, version),
        ...checkRelease(folder, contract, version),
      ]
    }),
  ]
}

/** Makes the bundled contracts the release, unless the versions have problems. */
export function acceptRelease(folder = join(root, 'specs')): string[] {
  const released = join(folder, 'released')
  const problems = existsSync(released) ? checkVersions(folder) : []
  if (problems.length > 0) return problems
  rmSync(released, { recursive: true, force: true })
  cpSync(join(folder, 'bundled'), released, { recursive: true })
  cpSync(join(folder, versionsFile), join(released, versionsFile))
  return []
}

const readVersions = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Versions

/** Checks that the OpenAPI and AsyncAPI documents of a contract state its version. */
function checkDocuments(folder: string, contract: string, version: string): string[] {
  return filesOf[contract]!.filter((file) => file.endsWith('.json')).flatMap((file) => {
    const { info } = JSON.parse(readFileSync(join(folder, 'bundled', file), 'utf8')) as {
      info?: { version: string }
    }
    return info === undefined || info.version === version
      ? []
      : [`${contract}: info.version of ${file} is ${info.version}, not ${version}`]
  })
}

/** Checks that the first entry of a contract in the changelog is about its version. */
function checkChangelog(folder: string, contract: string, version: string): string[] {
  const text = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  const section = text.split(/^## /m).find((each) => each.startsWith(`${contract}\n`)) ?? ''
  const [, newest, entry = ''] = /^### (\S+)\n([^#]*)/m.exec(section) ?? []
  if (newest !== version)
    return [
      `${contract}: the first entry in CHANGELOG.md is ${newest ?? 'missing'}, not ${version}. Describe what has changed.`,
    ]
  return entry.trim() === '' ? [`${contract}: the entry ${version} in CHANGELOG.md is empty`] : []
}

/** Checks that the version of a contract is new enough for its changes since the release. */
function checkRelease(folder: string, contract: string, version: string): string[] {
  const released = join(folder, 'released')
  if (!existsSync(released)) return [`${contract}: there is no release. Run: ${acceptCommand}`]
  const before = readVersions(join(released, versionsFile))[contract]
  if (before === undefined) return []
  const pairs = filesOf[contract]!.map((file) => ({
    older: join(released, file),
    newer: join(folder, 'bundled', file),
  }))
  const changes = pairs.flatMap(({ older, newer }) =>
    existsSync(older)
      ? compareFiles(older, newer).map((change) => ({ ...change, file: basename(newer) }))
      : [],
  )
  const isSame = pairs.every(({ older, newer }) => hasSameText(older, newer))
  const needed = stepFor(changes) ?? (isSame ? undefined : 'patch')
  const made = stepBetween(before, version)
  if (needed === undefined) return []
  if (made !== undefined && steps.indexOf(made) >= steps.indexOf(needed)) return []
  const level = { major: 'breaking', minor: 'compatible', patch: 'documentation' }[needed]
  const reasons = changes
    .filter((change) => change.level === level)
    .map(({ file, place, text }) => `\n  ${file}: ${[place, text].filter(Boolean).join(': ')}`)
  return [
    `${contract} ${version} needs a new ${needed} version, because of these changes since ${before}: raise it in ${versionsFile} and in its documents, and describe the changes in CHANGELOG.md.${reasons.slice(0, 10).join('') || '\n  the text of the files'}`,
  ]
}

function stepFor(changes: readonly ContractChange[]): Step | undefined {
  const levels = new Set(changes.map(({ level }) => level))
  if (levels.has('breaking')) return 'major'
  if (levels.has('compatible')) return 'minor'
  return levels.has('documentation') ? 'patch' : undefined
}

/** Returns which number of a version was raised. Undefined if it is the same or lower. */
function stepBetween(before: string, after: string): Step | undefined {
  const [old, current] = [parseVersion(before)!, parseVersion(after)!]
  const index = old.findIndex((number, at) => number !== current[at])
  return index === -1 || current[index]! < old[index]! ? undefined : steps[2 - index]
}

function parseVersion(version: string): number[] | undefined {
  return /^\d+\.\d+\.\d+$/.test(version) ? version.split('.').map(Number) : undefined
}

/** Whether two files are equal, apart from the version of their documents. */
function hasSameText(older: string, newer: string): boolean {
  const [before, after] = [older, newer].map((file) =>
    existsSync(file)
      ? readFileSync(file, 'utf8').replace(/("info": \{[^{}]*?"version": )"[^"]*"/, '$1""')
      : '',
  )
  return before === after
}

await runIfMain(
  import.meta.url,
  'versions',
  process.argv.includes('--accept') ? () => acceptRelease() : () => checkVersions(),
)
