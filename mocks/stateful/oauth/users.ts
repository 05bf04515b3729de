import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { ResourceOwner } from './records.ts'

/** A user to create. */
export interface NewUser {
  login: string
  email: string
  password: string
}

export interface UserStore {
  /**
   * The user with this login and password; undefined if there is none. The call takes equally long
   * for unknown users.
   */
  authenticate(login: string, password: string): Promise<ResourceOwner | undefined>
  /** A user by login. */
  findByLogin(login: string): ResourceOwner | undefined
}

/**
 * The cost of a hash (scrypt's parameter N). A hash takes about 50 ms, which makes guessing
 * passwords slow.
 */
const defaultCost = 16_384

/**
 * Stores passwords only as salted scrypt hashes. Tests can use a lower cost, because they start
 * thousands of servers.
 */
export async function newUsers(
  accounts: readonly NewUser[],
  cost: number = defaultCost,
): Promise<UserStore> {
  const hashPassword = (password: string, salt: Buffer) => hash(password, salt, cost)
  const users = new Map(
    await Promise.all(
      accounts.map(async ({ login, email, password }) => {
        const salt = randomBytes(16)
        return [login, { login, email, salt, hash: await hashPassword(password, salt) }] as const
      }),
    ),
  )
  const placeholder = { salt: randomBytes(16), hash: randomBytes(64) }
  return {
    async authenticate(login, password) {
      const user = users.get(login)
      const { salt, hash } = user ?? placeholder
      const isCorrect = timingSafeEqual(await hashPassword(password, salt), hash)
      return isCorrect && user !== undefined ? { login: user.login, email: user.email } : undefined
    },
    findByLogin(login) {
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
