import { describe, expect, test } from 'vitest'
import { eventNames, events } from '../../generated/events/contract.ts'
import { requirements } from '../../generated/requirements/index.ts'
import { rules, violationsOf } from '../checks/hooks/support/rules.ts'
import { issueWithTwoAssignees } from '../checks/receiver/support/deliveries.ts'
import {
  addUnknownMembers,
  largePush,
  richestPayload,
  withoutOptionalValues,
  type MutableJson,
} from '../checks/receiver/support/payloads.ts'
import {
  listLongPayloads,
  listOrdinaryPayloads,
} from '../checks/receiver/support/ordinary-values.ts'
import { makeUnique } from '../checks/receiver/support/unique-payload.ts'

const world = { makeUnique: (text: string) => makeUnique(text, 7) }

/** Requirements of level must that a payload violates. */
function failuresOf(event: keyof typeof events, text: string): string[] {
  const payload = JSON.parse(text) as MutableJson
  return [
    ...violationsOf(events[event], payload),
    ...rules
      .filter((rule) => rule.events.includes(event) && rule.applies(payload))
      .flatMap((rule) =>
        rule.findViolations(payload).map(({ path }) => ({ requirement: rule.requirement, path })),
      ),
  ]
    .filter(({ requirement }) => requirements[requirement].level === 'must')
    .map(({ requirement, path }) => `${requirement} ${path}`)
}

describe('payloads that receivers must handle', () => {
  test.each(eventNames)('of %s conform', (event) => {
    const bodies = {
      null: withoutOptionalValues(event, world, false),
      absent: withoutOptionalValues(event, world, true),
      unknown: JSON.stringify(addUnknownMembers(richestPayload(event, world))),
    }
    for (const [name, body] of Object.entries(bodies))
      expect([name, failuresOf(event, body)]).toEqual([name, []])
    expect(bodies.null).not.toBe(bodies.absent)
  })

  test.each(eventNames)('of %s with ordinary values and long lists conform', (event) => {
    const payloads = [
      ...listOrdinaryPayloads([event], world),
      ...listLongPayloads([event], world).map((payload) => ({ ...payload, label: 'long' })),
    ]
    expect(payloads.length).toBeGreaterThan(0)
    for (const { label, body } of payloads)
      expect([label, failuresOf(event, body)]).toEqual([label, []])
  })

  test('of one megabyte, and with two assignees, conform', () => {
    expect(failuresOf('push', largePush(world))).toEqual([])
    expect(failuresOf('issue', issueWithTwoAssignees())).toEqual([])
  })
})
