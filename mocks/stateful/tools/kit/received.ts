import { isObject } from '../../http/body.ts'

/** Returns the object that the upstream sent. Throws a TypeError for anything else. */
export function requireObject(received: unknown): Record<string, unknown> {
  if (!isObject(received)) throw new TypeError('the upstream did not send an object')
  return received
}

/** Returns the list with this name that the upstream sent. Throws a TypeError for anything else. */
export function requireList(received: unknown, name: string): Record<string, unknown>[] {
  const list = requireObject(received)[name]
  if (!Array.isArray(list)) throw new TypeError(`the upstream did not send a list of ${name}`)
  return list.map(requireObject)
}
