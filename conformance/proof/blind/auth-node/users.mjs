// The user store of the full provider: one user, whose password is kept as a salted scrypt digest.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(scrypt)
const COST = { N: 4096 } // low on purpose: this is a development server on a busy machine

export function makeUsers() {
  const sample = { name: 'ada', password: 'correct horse Battery 42' }
  const salt = randomBytes(16)
  const user = { login: 'ada', email: 'ada@notes.example', name: 'Ada Lovelace' }
  const stored = derive(sample.password, salt, 32, COST)
  const storedStart = derive(sample.password.slice(0, 8), salt, 32, COST)
  return {
    sample,
    /** The user, or undefined. The work is the same for an unknown name, so timing tells nothing. */
    async check(name, password, { firstEightOnly = false } = {}) {
      const given = await derive(firstEightOnly ? password.slice(0, 8) : password, salt, 32, COST)
      const right = timingSafeEqual(given, await (firstEightOnly ? storedStart : stored))
      return right && name === sample.name ? user : undefined
    },
  }
}
