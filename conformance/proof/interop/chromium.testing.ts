import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { install } from './debian.testing.ts'

/** A browser without a window. */
export interface Chromium {
  browser: Browser
  close(): Promise<void>
}

const places = ['/usr/bin/chromium', '/usr/bin/google-chrome']
const find = (): string | undefined => places.find((place) => existsSync(place))

/** Starts Debian's Chromium; installs it where that may be done. Where there is none, gives the reason. */
export async function findChromium(says: (line: string) => void): Promise<Chromium | string> {
  const found = find()
  if (found !== undefined) return started(found)
  const failure = await install(['chromium'], 'the tests with a browser', says)
  const installed = failure === undefined ? find() : undefined
  return installed === undefined
    ? `no Chromium is here, and ${failure ?? 'installing it did not help'}`
    : started(installed)
}

/** What it writes beside its profile, it writes to a home of its own. It sees pages of this project alone, so it needs no sandbox, which root could not have. */
async function started(executablePath: string): Promise<Chromium> {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-chromium-'))
  const leave = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  // Also where somebody calls the tests off.
  process.once('exit', leave)
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
        process.off('exit', leave)
        leave()
      },
    }
  } catch (error) {
    leave()
    throw error
  }
}
