import { describe, expect, it } from 'vitest'
import { SharedExclusiveLock } from './shared-exclusive-lock.ts'

/** Work that ends on request. */
function work(name: string, log: string[]) {
  let end = () => {}
  const until = new Promise<void>((resolve) => (end = resolve))
  return {
    end: () => end(),
    run: async () => {
      log.push(`${name} begins`)
      await until
      log.push(`${name} ends`)
    },
  }
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('a lock', () => {
  it('is shared by the first callers, then held exclusively, and only then shared by later callers', async () => {
    const log: string[] = []
    const lock = new SharedExclusiveLock()
    const [first, second, exclusive, later] = ['first', 'second', 'exclusive', 'later'].map(
      (name) => work(name, log),
    ) as [
      ReturnType<typeof work>,
      ReturnType<typeof work>,
      ReturnType<typeof work>,
      ReturnType<typeof work>,
    ]
    const all = [
      lock.runShared(first.run),
      lock.runShared(second.run),
      lock.runExclusive(exclusive.run),
      lock.runShared(later.run),
    ]
    await pause()
    expect(log).toEqual(['first begins', 'second begins'])
    first.end()
    second.end()
    await pause()
    expect(log.slice(2)).toEqual(['first ends', 'second ends', 'exclusive begins'])
    exclusive.end()
    later.end()
    await Promise.all(all)
    expect(log.slice(5)).toEqual(['exclusive ends', 'later begins', 'later ends'])
  })

  it('is released after work that fails', async () => {
    const lock = new SharedExclusiveLock()
    const failing = () => Promise.reject(new Error('no'))
    await expect(lock.runExclusive(failing)).rejects.toThrow('no')
    await expect(lock.runShared(failing)).rejects.toThrow('no')
    await expect(lock.runExclusive(() => Promise.resolve('yes'))).resolves.toBe('yes')
  })
})
