// Checks that generated/ is up to date with specs/. An argument names a folder to check instead of
// generated/.
import { join, resolve } from 'node:path'
import { drift, generate } from '../generate/files.ts'
import { command } from '../generate/output.ts'
import { root } from '../generate/source.ts'
import { runIfMain } from './report.ts'

export async function checkDrift(folder = join(root, 'generated')): Promise<string[]> {
  const differences = drift(await generate(), folder)
  return differences.map((difference) => `generated/${difference}. Run: ${command}`)
}

await runIfMain(import.meta.url, 'drift', () =>
  checkDrift(process.argv[2] ? resolve(process.argv[2]) : undefined),
)
