import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The timeout of hooks that install packages, in milliseconds: twice the time of a slow mirror,
 * because another test file may be installing as well.
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
 * Installs Debian packages if possible. Returns the reason if it is not, or if it fails. `purpose`
 * says what they are for.
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
    // The slow part can be interrupted safely. Interrupting dpkg would leave a broken system.
    await aptGet(600, ...command, '--download-only')
    await aptGet(480, ...command)
    return undefined
  } catch (error) {
    return `apt-get failed: ${(error as Error).message.trim()}`
  }
}

/**
 * Runs apt-get for one test file at a time: it waits only for the lock of dpkg, and fails if
 * another process reads lists or downloads. The timeout starts with the lock. The lock is on an
 * existing folder and ends with its holder.
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
