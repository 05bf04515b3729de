// Which behaviours are switched on for this process. Asking for a name that no list has is a
// programming error and fails loudly, so that a misspelt hook cannot stay unnoticed.
import { choices } from './choices.mjs'
import { violationsDocument } from './violations-document.mjs'
import { violationsProtocol } from './violations-protocol.mjs'

const entry =
  (kind) =>
  ([name, where, does]) => ({ name, kind, where, does })
export const all = [
  ...choices.map(entry('choice')),
  ...violationsDocument.map(entry('violation')),
  ...violationsProtocol.map(entry('violation')),
]
const known = new Set(all.map((s) => s.name))
const active = new Set()

export function turnOn(name) {
  if (!known.has(name)) throw new Error(`unknown switch: ${name}`)
  active.add(name)
}

export function on(name) {
  if (!known.has(name)) throw new Error(`hook without a switch: ${name}`)
  return active.has(name)
}
