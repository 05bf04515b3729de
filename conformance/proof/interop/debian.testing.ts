import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How long a hook may take that installs something: as long as a slow mirror needs, twice, since another test file may be installing as well. */
export const installingMs = 2_400_000

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

/** Installs Debian's packages where that may be done. Otherwise, and where it fails, says why. `purpose` is what they are for. */
export async function install(
  packages: readonly string[],
  purpose: string,
  says: (line: string) => void,
): Promise<string | undefined> {
  const because = hindrance()
  if (because !== undefined) return because
  says(`Installing ${packages.join(' and ')} from Debian with apt-get, for ${purpose}.`)
  try {
    await aptGet(120, 'update')
    const wanted = ['install', '-y', '--no-install-recommends', ...packages]
    // What may take long is what may be broken off: dpkg, halfway, leaves a machine to be mended.
    await aptGet(600, ...wanted, '--download-only')
    await aptGet(480, ...wanted)
    return undefined
  } catch (error) {
    return `apt-get failed: ${(error as Error).message.trim()}`
  }
}

/**
 * Of several test files, one at a time: apt-get waits for dpkg's lock alone, and fails at once where another one reads lists or downloads. Time
 * counts from when it is one's turn. The lock is on a folder that is there anyway; it ends with whoever holds it.
 */
const aptGet = (seconds: number, ...words: string[]) =>
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
      ...words,
    ],
    {
      maxBuffer: 16 * 1024 * 1024,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    },
  )
