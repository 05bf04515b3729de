import { watch } from '../support/define.ts'
import { examinePayload } from '../support/examined-payloads.ts'
import { deliveryRoots } from '../support/roots.ts'
import { rules, type PayloadRule } from '../support/rules.ts'

/** Defines a check that applies a payload rule to all deliveries that the suite triggered. */
function ruleCheck({
  requirement,
  events,
  title,
  name,
  expected,
  applies,
  findViolations,
}: PayloadRule) {
  return watch(requirement, {
    title,
    needs: ['hooks.state', 'suite.receiver'],
    sources: events.map((event) => deliveryRoots[event]),
    examine: (message) => {
      const found = examinePayload(message)
      if (
        found === undefined ||
        !events.includes(found.event.name) ||
        found.body['object_kind'] !== found.event.kind ||
        !applies(found.body)
      )
        return []
      const violations = findViolations(found.body)
      return [
        {
          name,
          held: violations.length === 0,
          expected,
          received:
            violations.length === 0
              ? 'as expected'
              : violations.map(({ received }) => received).join(', '),
        },
      ]
    },
  })
}

export const relations = rules.map(ruleCheck)
