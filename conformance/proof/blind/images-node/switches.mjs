// All switches, in the form that --list prints.
import { choices } from './switches-choices.mjs'
import { violations } from './switches-violations.mjs'
import { moreViolations } from './switches-violations2.mjs'

const table = (kind, text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [name, where, does] = line.split(' | ')
      return { name, kind, where, does }
    })

export const switches = [
  ...table('choice', choices),
  ...table('violation', violations),
  ...table('violation', moreViolations),
]
