import { isObject } from '../../http/body.ts'

/** The object that an upstream sent. Anything else throws. */
export function objectIn(received: unknown): Record<string, unknown> {
  if (!isObject(received)) throw new TypeError('the upstream sent no object')
  return received
}

/** The list of objects under this name in what an upstream sent. Anything else throws. */
export function listIn(received: unknown, name: string): Record<string, unknown>[] {
  const list = objectIn(received)[name]
  if (!Array.isArray(list)) throw new TypeError(`the upstream sent no list of ${name}`)
  return list.map(objectIn)
}
