// Builds @touchstone/contracts in packages/contracts/dist, ready for `npm pack`, and updates its
// package.json. If an argument names another folder, only builds it.
//
// Each entry point is one CommonJS file, so that it starts quickly and needs no other package. For
// ECMAScript modules, a wrapper exports the same values, so that a program which uses both formats
// has every class and every validator only once.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { copies, entryPoints } from './contracts-package/entry-points.ts'
import { declarationOf, exportsOfPackage } from './contracts-package/exports.ts'
import { packageRoot, version } from './package.ts'

const root = packageRoot()
const folder = join(root, 'packages', 'contracts')
const output = resolve(process.argv[2] ?? join(folder, 'dist'))
const sources = Object.entries(entryPoints)

rmSync(output, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(sources),
  outdir: join(output, 'cjs'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  // Messages of validators contain the names of schemas, not of functions, so only spaces go.
  minifyWhitespace: true,
  legalComments: 'inline',
  logLevel: 'warning',
})
writeTypes()
writeWrappers()
for (const [name, source] of Object.entries(copies))
  cpSync(join(root, source), join(output, name), { recursive: true })
for (const name of readdirSync(output, { recursive: true, encoding: 'utf8' }))
  if (/^(specs|schemas)\b.*\.json$/.test(name))
    write(join(output, name), JSON.stringify(JSON.parse(readFileSync(join(output, name), 'utf8'))))
if (process.argv[2] === undefined) updateManifest()

function updateManifest(): void {
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  write(
    file,
    `${JSON.stringify({ ...manifest, version: version(), exports: exportsOfPackage() }, undefined, 2)}\n`,
  )
}

function writeWrappers(): void {
  const require = createRequire(import.meta.url)
  for (const [name, source] of sources) {
    const file = join(output, 'esm', `${name}.js`)
    const common = join(output, 'cjs', `${name}.js`)
    const names = Object.keys(require(common) as object)
    const path = relative(dirname(file), common)
    const exported = `export const {\n${names.map((one) => `  ${one},\n`).join('')}} = contract\n`
    // Node imports a CommonJS module much faster with `require`; bundlers need an `import`.
    const [forNode, forBundlers] =
      names.length === 0
        ? ['export {}\n', 'export {}\n']
        : [
            `import { createRequire } from 'node:module'\nconst contract = createRequire(import.meta.url)('${path}')\n${exported}`,
            `import contract from '${path}'\n${exported}`,
          ]
    write(file, forNode)
    write(file.replace(/\.js$/, '.bundler.js'), forBundlers)
    const types = join(output, declarationOf(source)).replace(/\.d\.ts$/, '.js')
    write(file.replace(/\.js$/, '.d.ts'), `export * from '${relative(dirname(file), types)}'\n`)
  }
  write(join(output, 'esm', 'package.json'), '{ "type": "module" }\n')
  write(join(output, 'cjs', 'package.json'), '{ "type": "commonjs" }\n')
}

function writeTypes(): void {
  const types = join(output, 'cjs', 'types')
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...['--project', join(root, 'scripts', 'contracts-package', 'tsconfig.json')],
      ...['--outDir', types],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.d.ts'))
      write(
        join(types, name),
        readFileSync(join(types, name), 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"),
      )
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
