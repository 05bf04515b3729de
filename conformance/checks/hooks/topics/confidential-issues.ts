import { isObject } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import type { Delivery } from '../../../wire/index.ts'
import { watch } from '../support/define.ts'
import { deliveryNeeds, examineEach } from '../support/each-delivery.ts'
import { expectedOf } from '../support/expectations.ts'
import { isName } from '../support/rules.ts'

const kindOf = ({ json }: Delivery): unknown => (isObject(json) ? json['object_kind'] : undefined)
const describeKind = (delivery: Delivery) => {
  const kind = kindOf(delivery)
  return kind === undefined ? 'no object_kind' : `object_kind ${JSON.stringify(kind)}`
}

/** Whether the suite caused a delivery with the flag for confidential issues. */
const isConfidential = (delivery: Delivery) =>
  expectedOf(delivery)?.isConfidential === true && isObject(delivery.json)

const needs = [...deliveryNeeds, 'hooks.testEvents.confidential_issues_events'] as const
const sources = ['EVT-EVENT-12'] as const

export const confidentialIssueChecks = [
  watch('EVT-EVENT-14', {
    title: 'names the kind of event in object_kind for a confidential issue',
    needs,
    sources,
    examine: examineEach(
      'has object_kind',
      'an object_kind, because each event has one',
      (delivery) => (isConfidential(delivery) ? isName(kindOf(delivery)) : undefined),
      describeKind,
    ),
  }),

  watch('EVT-EVENT-15', {
    title: 'sends the object_kind of issues for a confidential issue',
    needs,
    sources,
    examine: examineEach(
      'has the object_kind of issues',
      `object_kind "${events.issue.kind}", because a confidential issue is an issue`,
      // EVT-EVENT-14 covers a missing object_kind.
      (delivery) =>
        isConfidential(delivery) && isName(kindOf(delivery))
          ? kindOf(delivery) === events.issue.kind
          : undefined,
      describeKind,
    ),
  }),
]
