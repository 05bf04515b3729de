import { readFile } from 'node:fs/promises'

/**
 * Reads a PEM file. If it is wrong, returns a phrase for a message, which follows the name of the
 * key. Never shows the content, which may be a private key.
 */
export async function readPem(path: string): Promise<{ value: string } | { wrong: string }> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error)
  if (text instanceof Error) {
    const why =
      text.code === 'ENOENT'
        ? 'which does not exist'
        : text.code === 'EISDIR'
          ? 'which is a folder'
          : `which cannot be read: ${text.message}`
    return { wrong: `names ${path}, ${why}` }
  }
  return text.includes('-----BEGIN ')
    ? { value: text }
    : { wrong: `names ${path}, which contains no PEM block` }
}
