import type { HooksFault } from './fault.ts'
import { fault, isObject } from './building.ts'

type Change = Record<string, unknown>

/** Makes something else of every change of an issue. */
const changed = (name: string, description: string, change: (was: Change) => unknown): HooksFault =>
  fault(name, description, ['EVT-ISSUE-32'], (hit) => ({
    beforeDelivery: (delivery) => {
      const { changes } = delivery.body
      if (delivery.event !== 'issue' || !isObject(changes)) return delivery
      for (const [field, was] of Object.entries(changes)) {
        hit()
        changes[field] = change(was as Change)
      }
      return delivery
    },
  }))

export const changes: readonly HooksFault[] = [
  changed(
    'change-does-not-tell-what-was',
    'A change of an issue has current alone.',
    ({ current }) => ({ current }),
  ),
  changed(
    'change-does-not-tell-what-is',
    'A change of an issue has previous alone.',
    ({ previous }) => ({ previous }),
  ),
  changed(
    'change-is-what-is',
    'A change of an issue is the new value itself.',
    ({ current }) => current,
  ),
  changed(
    'change-is-a-pair',
    'A change of an issue is a list of the old and the new value.',
    ({ previous, current }) => [previous, current],
  ),
]
