import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Runs a check where its file is what was started: prints its problems and ends non-zero where there are any. */
export async function whenStarted(
  url: string,
  name: string,
  check: () => string[] | Promise<string[]>,
): Promise<void> {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== fileURLToPath(url)) return
  const problems = await check()
  for (const problem of problems) console.error(problem)
  console.log(
    problems.length === 0
      ? `${name}: nothing wrong`
      : `${name}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
