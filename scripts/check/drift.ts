// Checks that generated/ is what specs/ gives. A folder may be given in place of generated/.
import { join, resolve } from 'node:path'
import { drift, generate } from '../generate/files.ts'
import { command, root } from '../generate/house.ts'
import { whenStarted } from './report.ts'

export async function checkDrift(folder = join(root, 'generated')): Promise<string[]> {
  const differences = drift(await generate(), folder)
  return differences.map((difference) => `generated/${difference}. Run: ${command}`)
}

await whenStarted(import.meta.url, 'drift', () =>
  checkDrift(process.argv[2] ? resolve(process.argv[2]) : undefined),
)
