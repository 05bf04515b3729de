// Writes generated/ from specs/.
import { join } from 'node:path'
import { generate, write } from './generate/files.ts'
import { root } from './generate/source.ts'

const args = process.argv.slice(2)
if (args.length > 0) {
  const isHelp = args.length === 1 && /^(-h|--help)$/.test(args[0]!)
  console.log('Usage: npm run generate\n\nWrites generated/ from specs/. It has no arguments.')
  process.exit(isHelp ? 0 : 3)
}

const folder = join(root, 'generated')
const files = await generate()
const touched = write(files, folder)
console.log(
  `${files.size} files in ${folder}, ${touched.length} of them changed${touched.map((file) => '\n  ' + file).join('')}`,
)
