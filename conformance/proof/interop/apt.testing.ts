import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The timeout of test hooks that install packages, in milliseconds. It is twice the time that a
 * slow mirror needs, because another test file may install packages first.
 */
export const installTimeoutMs = 2_400_000

/** The reason why packages cannot be installed here, if any. */
function obstacle(): string | undefined {
  if (!/^ID(_LIKE)?=.*debian/m.test(osRelease())) return 'this is not Debian'
  if (process.getuid?.() !== 0) return 'only root can install packages'
  return undefined
}

function osRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}

/**
 * Installs Debian packages. Returns undefined, or the reason why they could not be installed.
 * `purpose` says what the packages are for, as part of a sentence in the log.
 */
export async function install(
  packages: readonly string[],
  purpose: string,
  log: (line: string) => void,
): Promise<string | undefined> {
  const reason = obstacle()
  if (reason !== undefined) return reason
  log(`Installing ${packages.join(' and ')} from Debian with apt-get, for ${purpose}.`)
  try {
    await aptGet(120, 'update')
    const command = ['install', '-y', '--no-install-recommends', ...packages]
    // Downloads first, because the download is slow and can be interrupted safely. Interrupting
    // dpkg would leave a broken system.
    await aptGet(600, ...command, '--download-only')
    await aptGet(480, ...command)
    return undefined
  } catch (error) {
    return `apt-get failed: ${(error as Error).message.trim()}`
  }
}

/**
 * Runs apt-get for one test file at a time. By itself, apt-get waits only for the lock of dpkg, and
 * fails if another process reads lists or downloads. The timeout starts once the lock is held. The
 * lock is on an existing folder, and is released when the process that holds it exits.
 */
const aptGet = (seconds: number, ...args: string[]) =>
  run(
    'flock',
    [
      '--no-fork',
      '--timeout',
      '600',
      '/var/lib/apt',
      'timeout',
      String(seconds),
      'apt-get',
      '-q',
      '-o',
      'DPkg::Lock::Timeout=300',
      '-o',
      'Acquire::Retries=2',
      ...args,
    ],
    {
      maxBuffer: 16 * 1024 * 1024,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  )
