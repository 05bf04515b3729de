import { describe, expect, it } from 'vitest'
import { bearerClient, ClientPool, sharedNames } from './client-pool.ts'

describe('the client pool', () => {
  it('has at most ten clients, including those that are not shared', () => {
    const names = [...Object.values(sharedNames).flat(), bearerClient, 'public']
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeLessThanOrEqual(10)
  })

  it('returns the client that the fewest checks use', () => {
    const pool = new ClientPool()
    const names = pool.names('none')
    expect(names.map(() => pool.acquire(names))).toEqual(names)
    pool.release(names[1]!)
    expect(pool.acquire(names)).toBe(names[1])
  })

  it('returns no client that the server refused to register', () => {
    const pool = new ClientPool()
    for (const name of pool.names('none')) pool.refuse(name)
    expect(pool.acquire(pool.names('none'))).toBeUndefined()
    expect(pool.names('client_secret_post')).not.toEqual([])
  })
})
