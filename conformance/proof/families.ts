import { greeting } from './families/greeting.ts'
import { hooks } from './families/hooks.ts'
import { images } from './families/images.ts'
import { receiver } from './families/receiver.ts'
import { tools } from './families/tools.ts'
import { jwt } from './families/jwt.ts'
import { oauth } from './families/oauth.ts'
import type { Family } from './family.ts'

/** All families (groups of servers, see family.ts), in the order of their subjects. */
export const families: readonly Family[] = [images, hooks, receiver, greeting, tools, jwt, oauth]

export function findFamily(name: string): Family {
  const found = families.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`there is no family ${name}`)
  return found
}
