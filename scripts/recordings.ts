// Writes docs/first-runs.md: what the terminal shows, at 80 columns and 24 lines, when a new user
// enters the first commands of README.md. Needs tmux. Run it by hand: `npm run recordings`.
import { writeFile } from 'node:fs/promises'
import { renderPage } from './docs/recordings/page.ts'
import { recordFirstRuns } from './docs/recordings/first-runs.ts'

await writeFile(
  new URL('../docs/first-runs.md', import.meta.url),
  renderPage(await recordFirstRuns()),
)
