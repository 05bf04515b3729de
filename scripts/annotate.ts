import { annotationOf } from '../conformance/report/annotation.ts'

/** The commands that docs/ci.md describes as steps of a job. */
const inJobs: readonly string[] = ['test', 'compare', 'types', 'lint-tools']

/**
 * On GitHub Actions, prints why a command fails as an annotation. Does nothing for the output of
 * other commands and with --json, because programs read these.
 */
export function annotateFailure(
  reason: string,
  environment: NodeJS.ProcessEnv = process.env,
  words: readonly string[] = process.argv,
): void {
  const command = words.slice(2).find((word) => !word.startsWith('-'))
  if (environment.GITHUB_ACTIONS !== 'true' || words.includes('--json')) return
  if (command !== undefined && inJobs.includes(command))
    process.stdout.write(`${annotationOf('error', `touchstone ${command}`, reason)}\n`)
}
