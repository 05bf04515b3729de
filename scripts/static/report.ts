import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Looks for problems if the file of this URL is the main module. Prints them, and sets the exit
 * code to 1 if there are any.
 */
export async function runIfMain(
  url: string,
  name: string,
  findProblems: () => string[] | Promise<string[]>,
): Promise<void> {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== fileURLToPath(url)) return
  const problems = await findProblems()
  for (const problem of problems) console.error(problem)
  console.log(
    problems.length === 0
      ? `${name}: no problems`
      : `${name}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
