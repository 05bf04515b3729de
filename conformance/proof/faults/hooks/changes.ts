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
    'Sends changes of an issue with current only.',
    ({ current }) => ({ current }),
  ),
  replaceChange(
    'change-has-no-current',
    'Sends changes of an issue with previous only.',
    ({ previous }) => ({ previous }),
  ),
  replaceChange(
    'change-is-the-new-value',
    'Sends the new value as the change of an issue.',
    ({ current }) => current,
  ),
  replaceChange(
    'change-is-a-pair',
    'Sends a list of the old and the new value as the change of an issue.',
    ({ previous, current }) => [previous, current],
  ),
]
