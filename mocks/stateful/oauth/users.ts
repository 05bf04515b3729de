import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { ResourceOwner } from './records.ts'

/** A user as one is told of. */
export interface NewUser {
  login: string
  email: string
  password: string
}

export interface UserStore {
  /** The user with this password; undefined for another password, and for another user, which takes as long. */
  find(login: string, password: string): Promise<ResourceOwner | undefined>
  /** A user who has signed in before. */
  known(login: string): ResourceOwner | undefined
}

/** What one hash costs, as scrypt's N: some 50 ms of a processor, so that nobody can try many passwords. */
const usualCost = 16_384

/** Keeps passwords as scrypt's hashes alone, each with a salt of its own. A lower cost is for servers that nobody attacks: those that are started by the thousand. */
export async function newUsers(
  given: readonly NewUser[],
  cost: number = usualCost,
): Promise<UserStore> {
  const hashed = (password: string, salt: Buffer) => hash(password, salt, cost)
  const users = new Map(
    await Promise.all(
      given.map(async ({ login, email, password }) => {
        const salt = randomBytes(16)
        return [login, { login, email, salt, hash: await hashed(password, salt) }] as const
      }),
    ),
  )
  const nobody = { salt: randomBytes(16), hash: randomBytes(64) }
  return {
    async find(login, password) {
      const user = users.get(login)
      const { salt, hash } = user ?? nobody
      const isRight = timingSafeEqual(await hashed(password, salt), hash)
      return isRight && user !== undefined ? { login: user.login, email: user.email } : undefined
    },
    known(login) {
      const user = users.get(login)
      return user === undefined ? undefined : { login: user.login, email: user.email }
    },
  }
}

const hash = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, 64, { N: cost }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
