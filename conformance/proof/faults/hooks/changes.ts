import type { HooksFault } from './fault.ts'
import { fault, isObject } from './building.ts'

type Change = Record<string, unknown>

/** Replaces every change of an issue. */
const replaceChange = (
  name: string,
  description: string,
  change: (value: Change) => unknown,
): HooksFault =>
  fault(name, description, ['EVT-ISSUE-32'], (hit) => ({
    beforeDelivery: (delivery) => {
      const { changes } = delivery.body
      if (delivery.event !== 'issue' || !isObject(changes)) return delivery
      for (const [field, value] of Object.entries(changes)) {
        hit()
        changes[field] = change(value as Change)
      }
      return delivery
    },
  }))

export const changes: readonly HooksFault[] = [
  replaceChange(
    'change-has-no-previous',
    'Sends only the field `current` in each change of an issue.',
    ({ current }) => ({ current }),
  ),
  replaceChange(
    'change-has-no-current',
    'Sends only the field `previous` in each change of an issue.',
    ({ previous }) => ({ previous }),
  ),
  replaceChange(
    'change-is-the-new-value',
    'Sends only the new value instead of each change of an issue.',
    ({ current }) => current,
  ),
  replaceChange(
    'change-is-a-pair',
    'Sends an array of the old and the new value instead of each change of an issue.',
    ({ previous, current }) => [previous, current],
  ),
]
