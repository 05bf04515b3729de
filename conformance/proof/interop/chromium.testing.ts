import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { install } from './apt.testing.ts'

/** A headless browser. */
export interface Chromium {
  browser: Browser
  close(): Promise<void>
}

const paths = ['/usr/bin/chromium', '/usr/bin/google-chrome']
const find = (): string | undefined => paths.find((path) => existsSync(path))

/**
 * Starts Chromium. If it is missing, installs the package of Debian first. Returns the reason if
 * this is not possible.
 */
export async function findChromium(log: (line: string) => void): Promise<Chromium | string> {
  const found = find()
  if (found !== undefined) return launch(found)
  const failure = await install(['chromium'], 'the tests with a browser', log)
  const installed = failure === undefined ? find() : undefined
  return installed === undefined
    ? `Chromium was not found, and ${failure ?? 'installing it did not change that'}`
    : launch(installed)
}

/**
 * Starts the browser with a temporary home directory, for the files that it writes outside of its
 * profile. It runs without a sandbox, because root cannot use one. It needs none, because it opens
 * only pages of this project.
 */
async function launch(executablePath: string): Promise<Chromium> {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-chromium-'))
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  // Removes the folder even if the tests are interrupted.
  process.once('exit', removeHome)
  try {
    const browser = await chromium.launch({
      executablePath,
      chromiumSandbox: false,
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home },
    })
    return {
      browser,
      async close() {
        await browser.close()
        process.off('exit', removeHome)
        removeHome()
      },
    }
  } catch (error) {
    removeHome()
    throw error
  }
}
