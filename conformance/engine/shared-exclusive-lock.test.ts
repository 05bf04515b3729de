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
const ticks = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('a lock', () => {
  it('is shared by some, then held exclusively by one, before later callers share it', async () => {
    const log: string[] = []
    const turns = new SharedExclusiveLock()
    const [first, second, lone, later] = ['first', 'second', 'lone', 'later'].map((name) =>
      work(name, log),
    ) as [
      ReturnType<typeof work>,
      ReturnType<typeof work>,
      ReturnType<typeof work>,
      ReturnType<typeof work>,
    ]
    const all = [
      turns.runShared(first.run),
      turns.runShared(second.run),
      turns.runExclusive(lone.run),
      turns.runShared(later.run),
    ]
    await ticks()
    expect(log).toEqual(['first begins', 'second begins'])
    first.end()
    second.end()
    await ticks()
    expect(log.slice(2)).toEqual(['first ends', 'second ends', 'lone begins'])
    lone.end()
    later.end()
    await Promise.all(all)
    expect(log.slice(5)).toEqual(['lone ends', 'later begins', 'later ends'])
  })

  it('is released after work that fails', async () => {
    const turns = new SharedExclusiveLock()
    const failing = () => Promise.reject(new Error('no'))
    await expect(turns.runExclusive(failing)).rejects.toThrow('no')
    await expect(turns.runShared(failing)).rejects.toThrow('no')
    await expect(turns.runExclusive(() => Promise.resolve('yes'))).resolves.toBe('yes')
  })
})
