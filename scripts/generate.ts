// Writes generated/ and specs/bundled/ from the other files of specs/.
import { join } from 'node:path'
import { generateFolders, write } from './generate/files.ts'
import { root } from './generate/source.ts'

const args = process.argv.slice(2)
if (args.length > 0) {
  const isHelp = args.length === 1 && /^(-h|--help)$/.test(args[0]!)
  console.log(
    'Usage: npm run generate\n\nWrites generated/ and specs/bundled/ from specs/. It has no arguments.',
  )
  process.exit(isHelp ? 0 : 3)
}

for (const { folder, files } of await generateFolders()) {
  const touched = write(files, join(root, folder))
  const changes = touched.map((file) => `\n  ${file}`).join('')
  console.log(`${files.size} files in ${folder}, ${touched.length} of them changed${changes}`)
}
