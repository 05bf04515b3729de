// Checks that generated/ and specs/bundled/ are up to date with specs/. An argument names a project
// folder to check instead of this one.
import { join, resolve } from 'node:path'
import { drift, generateFolders } from '../generate/files.ts'
import { command } from '../generate/output.ts'
import { root } from '../generate/source.ts'
import { runIfMain } from './report.ts'

export async function checkDrift(project = root): Promise<string[]> {
  return (await generateFolders()).flatMap(({ folder, files }) =>
    drift(files, join(project, folder)).map(
      (difference) => `${folder}/${difference}. Run: ${command}`,
    ),
  )
}

await runIfMain(import.meta.url, 'drift', () =>
  checkDrift(process.argv[2] ? resolve(process.argv[2]) : undefined),
)
