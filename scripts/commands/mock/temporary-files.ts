import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

const prefix = 'touchstone-mock-'

/** The file that names the process to which a folder belongs. */
const ownerName = 'owner.json'

/**
 * Writes a file to a temporary folder that only its owner can read, and returns its path. The
 * folder is removed when the process exits. If the process is killed, the next mock removes it.
 */
export function writeTemporaryFile(name: string, content: string): string {
  if (folder === undefined) {
    removeAbandonedFolders()
    folder = mkdtempSync(join(tmpdir(), prefix))
    writeFileSync(join(folder, ownerName), JSON.stringify(ownerOf(process.pid)), { mode: 0o600 })
    process.once('exit', removeTemporaryFiles)
  }
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}

/** Removes the folder now. Tests call this, because they run in threads, which do not exit. */
export function removeTemporaryFiles(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  folder = undefined
}

/** A process. Containers can share a folder although each has its own numbers of processes. */
interface Owner {
  pid: number
  host: string
  namespace: string
}

const ownerOf = (pid: number): Owner => ({ pid, host: hostname(), namespace: pidNamespace() })

/** The namespace of process numbers on Linux; elsewhere, there is only one. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Removes the folders of this user whose process was killed. Never fails. */
export function removeAbandonedFolders(root: string = tmpdir()): void {
  try {
    for (const name of readdirSync(root))
      if (name.startsWith(prefix) && isAbandoned(join(root, name)))
        rmSync(join(root, name), { recursive: true, force: true })
  } catch {
    // The folders are harmless, and other users or processes may change them at the same time.
  }
}

function isAbandoned(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status?.isDirectory() !== true || status.uid !== process.getuid?.()) return false
  try {
    const { pid, host, namespace } = JSON.parse(
      readFileSync(join(path, ownerName), 'utf8'),
    ) as Owner
    const own = ownerOf(pid)
    return host === own.host && namespace === own.namespace && hasEnded(pid)
  } catch {
    // Not a folder of this version, or its process is just creating it.
    return false
  }
}

function hasEnded(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
