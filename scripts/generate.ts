// Derives generated/ from specs/. Another folder may be given: `npx tsx scripts/generate.ts
// ELSEWHERE`.
import { join, resolve } from 'node:path'
import { generate, write } from './generate/files.ts'
import { root } from './generate/source.ts'

const folder = resolve(process.argv[2] ?? join(root, 'generated'))
const files = await generate()
const touched = write(files, folder)
console.log(
  `${files.size} files in ${folder}, ${touched.length} of them changed${touched.map((file) => '\n  ' + file).join('')}`,
)
