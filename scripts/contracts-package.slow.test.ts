import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryPoints } from './contracts-package/entry-points.ts'
import { exportsOfPackage } from './contracts-package/exports.ts'
import { packageRoot, version } from './package.ts'

// Tests the packed package in an empty project that has no other package.
const root = packageRoot()
const source = join(root, 'packages', 'contracts')
const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
  version: string
  exports: unknown
  dependencies?: unknown
}
let project: string
let tarball: string
const inside = () => join(project, 'node_modules', '@touchstone', 'contracts')
const node = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'touchstone-contracts-'))
  const staged = join(project, 'staged')
  mkdirSync(staged)
  for (const name of ['package.json', 'README.md']) cpSync(join(source, name), join(staged, name))
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/tsx/dist/cli.mjs'),
      join(root, 'scripts/contracts-package.ts'),
      join(staged, 'dist'),
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  execFileSync('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: staged,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  tarball = join(
    project,
    readdirSync(project).find((name) => name.endsWith('.tgz'))!,
  )
  mkdirSync(inside(), { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', inside()])
  rmSync(staged, { recursive: true })
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

test('package.json has the version of touchstone and every entry point', () => {
  expect(manifest.version).toBe(version())
  expect(manifest.exports).toEqual(exportsOfPackage())
  expect(manifest.dependencies).toBeUndefined()
})

test('the types of every entry point are right for import and require', async () => {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (checked.types === false) throw new Error('the package contains no types')
  // Node 10 does not read `exports`. Its users would need Node 20 for the code itself.
  const problems = checked.problems.filter(
    (problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10',
  )
  expect(problems).toEqual([])
  expect(Object.keys(checked.entrypoints)).toEqual(
    expect.arrayContaining(Object.keys(entryPoints).map((name) => `./${name}`)),
  )
})

test('the installed package takes at most 3 MB', () => {
  const sizes = readdirSync(inside(), { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(inside(), name)))
    .filter((entry) => entry.isFile())
    .map(({ size }) => size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000)
})

const script = `
  const push = require('@touchstone/contracts/payloads/push/commits.json')
  const { parseDelivery, DeliveryError, verifyToken } = require('@touchstone/contracts/events')
  const headers = { 'content-type': 'application/json', 'x-hook-event': 'Push Hook', 'x-hook-token': 'secret' }
  const { event, payload } = parseDelivery(headers, JSON.stringify(push.body ?? push))
  let code
  try { parseDelivery(headers, '{}') } catch (error) { code = error instanceof DeliveryError && error.code }
  const { validateImage } = require('@touchstone/contracts/images')
  const { openapi } = require('@touchstone/contracts/specs/images-account.json')
  const schema = require('@touchstone/contracts/schemas/images/Image.json')
  console.log(JSON.stringify([event, payload.object_kind, code, verifyToken(headers, 'secret'), validateImage({}), openapi, typeof schema.$id]))
`
const output = '["push","push","payload-invalid",true,false,"3.1.0","string"]\n'

test('works with require', () => {
  writeFileSync(join(project, 'a.cjs'), script)
  const { stdout, stderr } = node('a.cjs')
  expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' })
})

test('works with import, and has the same values as with require', () => {
  const names = Object.keys(entryPoints)
  writeFileSync(
    join(project, 'b.mjs'),
    `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
${names.map((name, index) => `import * as own${index} from '@touchstone/contracts/${name}'`).join('\n')}
for (const [name, own] of [${names.map((name, index) => `['${name}', own${index}]`).join(', ')}]) {
  const common = require('@touchstone/contracts/' + name)
  const names = Object.keys(common)
  console.log(name, names.length > 0 || name === 'greeting', names.every((key) => own[key] === common[key]))
}
`,
  )
  const { stdout, stderr } = node('b.mjs')
  expect({ stdout, stderr }).toEqual({
    stdout: names.map((name) => `${name} true true\n`).join(''),
    stderr: '',
  })
})

test.each(['node', 'browser'] as const)('can be bundled for the platform %s', async (platform) => {
  const entry = join(project, 'e.mjs')
  const bundle = join(project, 'bundled', 'e.cjs')
  writeFileSync(
    entry,
    "import { validateImage } from '@touchstone/contracts/images'\nconsole.log(validateImage({}))\n",
  )
  await build({ entryPoints: [entry], outfile: bundle, bundle: true, platform, format: 'cjs' })
  expect(readFileSync(bundle, 'utf8')).not.toContain('createRequire')
  expect(node(bundle).stdout).toBe('false\n')
})

test.each([
  ['node16', 'Node16'],
  ['bundler', 'ESNext'],
])('its types compile with the module resolution %s', (moduleResolution, module) => {
  mkdirSync(join(project, 'node_modules', '@types'), { recursive: true })
  const types = join(project, 'node_modules', '@types', 'node')
  rmSync(types, { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules', '@types', 'node'), types)
  const code = `
import { parseDelivery, type WebhookPayload } from '@touchstone/contracts/events'
import { validateImage, type Image } from '@touchstone/contracts/images'
import type { GreetingRequest } from '@touchstone/contracts/greeting'
const delivery = parseDelivery({}, '')
if (delivery.event === 'push') { const name: string = delivery.payload.user_name; void name }
const value: unknown = {}
if (validateImage(value)) { const image: Image = value; void image }
const request: GreetingRequest = { name: 'Ada', request_id: '' }
const payload: WebhookPayload | undefined = undefined
// @ts-expect-error A request has no other field.
const wrong: GreetingRequest = { name: 'Ada', request_id: '', other: 1 }
export { request, payload, wrong }
`
  for (const name of ['c.mts', 'd.cts']) writeFileSync(join(project, name), code)
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        target: 'ES2023',
        module,
        moduleResolution,
      },
      files: ['c.mts', 'd.cts'],
    }),
  )
  const { stdout, status } = node(
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '--project',
    project,
  )
  expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
})
