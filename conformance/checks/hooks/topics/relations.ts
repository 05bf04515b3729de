import { watch } from '../support/define.ts'
import { examinePayload } from '../support/examined-payloads.ts'
import { deliveryRoots } from '../support/roots.ts'
import { rules, type PayloadRule } from '../support/rules.ts'

/** What no schema can say of payloads, watched in the deliveries that were asked for. */
function ruleCheck({
  requirement,
  event,
  title,
  name,
  expected,
  applies,
  findViolations,
}: PayloadRule) {
  return watch(requirement, {
    title,
    needs: ['hooks.state', 'suite.receiver'],
    sources: [deliveryRoots[event]],
    examine: (message) => {
      const found = examinePayload(message)
      if (
        found === undefined ||
        found.event.name !== event ||
        found.body['object_kind'] !== found.event.kind ||
        !applies(found.body)
      )
        return []
      const places = findViolations(found.body)
      return [
        {
          name,
          held: places.length === 0,
          expected,
          received:
            places.length === 0 ? 'as expected' : places.map(({ received }) => received).join(', '),
        },
      ]
    },
  })
}

export const relations = rules.map(ruleCheck)
