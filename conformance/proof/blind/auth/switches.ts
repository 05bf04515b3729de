import { jwtSwitches } from './switches-jwt.ts'
import { providerChoices } from './switches-provider-choices.ts'
import { providerBackViolations, providerFrontViolations } from './switches-provider-violations.ts'
import { proxySwitches } from './switches-proxy.ts'
import type { SwitchEntry } from './types.ts'

const all = [
  ...jwtSwitches,
  ...proxySwitches,
  ...providerChoices,
  ...providerFrontViolations,
  ...providerBackViolations,
] as const

export type SwitchName = (typeof all)[number]['name']

/** Whether a switch was turned on when the server was started. */
export type IsOn = (name: SwitchName) => boolean

export const switches: readonly SwitchEntry[] = all

/** Throws for a name that is not in the list. */
export function readSwitches(names: readonly string[]): IsOn {
  const known = new Set<string>(all.map((entry) => entry.name))
  for (const name of names) {
    if (!known.has(name)) {
      throw new Error(`unknown switch: ${name}`)
    }
  }
  const on = new Set<string>(names)
  return (name) => on.has(name)
}
