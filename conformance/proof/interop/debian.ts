import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Why no package can be installed here; undefined where one can. */
function hindrance(): string | undefined {
  if (!/^ID(_LIKE)?=.*debian/m.test(osRelease())) return 'this is no Debian'
  if (process.getuid?.() !== 0) return 'only root may install packages'
  return undefined
}

function osRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}

/** Installs Debian's packages where that may be done. Otherwise, and where it fails, says why. */
export async function install(packages: readonly string[], says: (line: string) => void): Promise<string | undefined> {
  const because = hindrance()
  if (because !== undefined) return because
  says(`Installing ${packages.join(' and ')} from Debian with apt-get, for the tests with another gRPC.`)
  try {
    await aptGet(120, 'update')
    const wanted = ['install', '-y', '--no-install-recommends', ...packages]
    // What may take long is what may be broken off: dpkg, halfway, leaves a machine to be mended.
    await aptGet(180, ...wanted, '--download-only')
    await aptGet(120, ...wanted)
    return undefined
  } catch (error) {
    return `apt-get failed: ${(error as Error).message.trim()}`
  }
}

/** Waits for whoever else holds dpkg's lock. */
const aptGet = (seconds: number, ...words: string[]) =>
  run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::Retries=2', ...words], {
    timeout: seconds * 1000,
    maxBuffer: 16 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
