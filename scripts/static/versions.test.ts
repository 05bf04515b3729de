import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../generate/source.ts'
import { acceptRelease, checkVersions } from './versions.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-versions-'))
  for (const name of ['bundled', 'released', 'versions.json', 'CHANGELOG.md'])
    cpSync(join(root, 'specs', name), join(folder, name), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

function change(file: string, from: string, to: string): void {
  const path = join(folder, file)
  const before = readFileSync(path, 'utf8')
  expect(before).toContain(from)
  writeFileSync(path, before.replace(from, to))
}

/** Raises the version of the greeting contract, and describes it. */
function raise(version: string, before = '1.0.0'): void {
  change('versions.json', `"greeting": "${before}"`, `"greeting": "${version}"`)
  change('CHANGELOG.md', '## greeting\n', `## greeting\n\n### ${version}\n\nChanged.\n`)
}

it('finds no problems in the contracts', () => {
  expect(checkVersions()).toEqual([])
})

it('requires a major version for a breaking change', () => {
  change('bundled/greeting.proto', 'string message = 1', 'bytes message = 1')
  expect(checkVersions(folder)).toEqual([
    expect.stringMatching(
      /^greeting 1\.0\.0 needs a new major version.*\n {2}greeting\.proto: message examples\.GreetingResponse, field message: string became bytes$/,
    ),
  ])
  raise('1.1.0')
  expect(checkVersions(folder)[0]).toContain('greeting 1.1.0 needs a new major version')
  raise('2.0.0', '1.1.0')
  expect(checkVersions(folder)).toEqual([])
})

it('requires a minor version for a compatible change', () => {
  change('bundled/greeting.proto', 'string message = 1;', 'string message = 1; string tone = 3;')
  expect(checkVersions(folder)[0]).toContain('needs a new minor version')
  raise('1.0.1')
  expect(checkVersions(folder)[0]).toContain('greeting 1.0.1 needs a new minor version')
  raise('1.1.0', '1.0.1')
  expect(checkVersions(folder)).toEqual([])
})

it('requires a patch version for every other change', () => {
  change('bundled/greeting.proto', '// The greeting.', '// The greeting as a string.')
  expect(checkVersions(folder)[0]).toContain('needs a new patch version')
  raise('1.0.1')
  expect(checkVersions(folder)).toEqual([])
})

it('accepts a release, from which the next changes count', () => {
  change('bundled/greeting.proto', 'string message = 1;', 'string message = 1; string tone = 3;')
  expect(acceptRelease(folder)[0]).toContain('needs a new minor version')
  raise('1.1.0')
  expect(acceptRelease(folder)).toEqual([])
  expect(checkVersions(folder)).toEqual([])
  change('bundled/greeting.proto', ' string tone = 3;', '')
  expect(checkVersions(folder)[0]).toContain('greeting 1.1.0 needs a new major version')
})

it('requires a first release', () => {
  rmSync(join(folder, 'released'), { recursive: true })
  expect(checkVersions(folder)[0]).toContain('there is no release. Run: npm run versions')
  expect(acceptRelease(folder)).toEqual([])
  expect(checkVersions(folder)).toEqual([])
})

it('requires the same version in the document and in the changelog', () => {
  change('versions.json', '"hooks": "1.0.0"', '"hooks": "1.0.1"')
  expect(checkVersions(folder)).toEqual([
    'hooks: info.version of hooks.json is 1.0.0, not 1.0.1',
    expect.stringContaining('hooks: the first entry in CHANGELOG.md is 1.0.0, not 1.0.1'),
  ])
})

it('requires an entry with words', () => {
  change('CHANGELOG.md', 'The first version: nine deliveries.', '')
  expect(checkVersions(folder)).toEqual(['events: the entry 1.0.0 in CHANGELOG.md is empty'])
})

it('requires semantic versions of known contracts', () => {
  change('versions.json', '"auth": "1.0.0"', '"auth": "1", "other": "1.0.0"')
  expect(checkVersions(folder)).toEqual([
    'versions.json: there is no contract other',
    'auth: versions.json contains no version such as 1.0.0',
  ])
})
