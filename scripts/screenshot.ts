// Writes docs/failure.svg. Build the command first: `npm run screenshot` does both.
import { writeFile } from 'node:fs/promises'
import { renderFailureSvg } from './docs/failure-screenshot.ts'

await writeFile(new URL('../docs/failure.svg', import.meta.url), await renderFailureSvg())
