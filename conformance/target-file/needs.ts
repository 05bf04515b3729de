import { nameOf, sectionOf, type Keys } from './keys.ts'

/** Returns the needed paths, such as `images.batch`, that the target does not set. */
export function findMissingKeys(keys: Keys, target: object, needs: readonly string[]): string[] {
  return needs.filter((path) => !isIgnored(keys, target, path) && !isSet(keys, target, path))
}

/** Whether a section of the target ignores the key at a path. */
function isIgnored({ sections }: Keys, target: object, path: string): boolean {
  return sections.some(({ name, ignores }) => {
    const value = valueAt(target, name)
    return value !== undefined && ignores?.(value as Record<string, unknown>, path) === true
  })
}

function isSet(keys: Keys, target: object, path: string): boolean {
  const list = keys.find(sectionOf(path))
  if (list?.kind === 'words')
    return (
      (valueAt(target, list.path) as readonly string[] | undefined)?.includes(nameOf(path)) ?? false
    )
  const presenceKey = keys.findGroup(path)?.presenceKey
  const value = valueAt(target, presenceKey === undefined ? path : `${path}.${presenceKey}`)
  return keys.find(path)?.setting === true
    ? value !== undefined
    : value !== undefined && value !== false
}

/** The value at a path of a target. */
export function valueAt(target: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (holder, name) => (holder as Record<string, unknown> | undefined)?.[name],
      target,
    )
}

/**
 * Whether the host of a URL is this machine. A target on this machine can fetch images from the
 * suite even if the suite has no public URL.
 */
export function isOnLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\./.test(hostname)
  )
}
