import { timingSafeEqual } from 'node:crypto'

/** What a tool may show of a user. */
export interface Profile {
  login: string
  email: string
}

interface User extends Profile {
  id: string
  password: string
}

const users: readonly User[] = [
  { id: 'u-1', login: 'ada', email: 'ada@shelf.example', password: 'ada-password' },
  { id: 'u-2', login: 'grace', email: 'grace@shelf.example', password: 'grace-password' },
]

export const firstUser = users[0]!

export const userOf = (id: string | undefined): User | undefined =>
  users.find((user) => user.id === id)

export function signIn(login: string, password: string): User | undefined {
  const user = users.find((one) => one.login === login)
  return user !== undefined && isSame(password, user.password) ? user : undefined
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
