import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { eventNames, events } from '../../../../mocks/deliveries/events.ts'
import { hasUnknownMember } from '../../faults/receiver/payloads.ts'
import { valuesAt } from '../../faults/receiver/building.ts'
import type { ReceiverFactor } from './variation.ts'
import { declining, kept } from './building.ts'

const seen = kept(() => new Set<string>())
const kinds = new Map(eventNames.map((name) => [events[name].header, events[name].objectKind]))

/** What a receiver makes of payloads that are not as usual. */
export const payloads: readonly ReceiverFactor[] = [
  {
    requirement: 'EVT-RECEIVER-23',
    name: 'bodies that are no JSON',
    levels: [
      { name: '400', description: 'Refuses them with 400.' },
      { name: '422', description: 'Refuses them with 422.', choices: { malformed: 422 } },
      {
        name: 'acknowledged',
        description: 'Acknowledges them, and looks at them later.',
        choices: { malformed: 'acknowledge' },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-20',
    name: 'unknown events',
    levels: [
      { name: 'acknowledged', description: 'Acknowledges them.' },
      { name: '400', description: 'Refuses them with 400.', choices: { unknownEvent: 400 } },
      { name: '404', description: 'Refuses them with 404.', choices: { unknownEvent: 404 } },
      {
        name: '422',
        notCombined: true,
        description: 'Refuses them with 422.',
        choices: { unknownEvent: 422 },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-20',
    name: 'header and object_kind',
    levels: [
      { name: 'not compared', description: 'Knows an event by its header.' },
      {
        name: 'compared',
        description: 'Refuses a payload of another event than its header says.',
        deviation: declining(
          400,
          ({ event, payload }) =>
            kinds.has(event ?? '') &&
            isObject(payload) &&
            payload['object_kind'] !== kinds.get(event ?? ''),
        ),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-21',
    name: 'duplicates',
    levels: [
      { name: 'taken again', description: 'Takes them again.' },
      {
        name: 'dropped',
        description: 'Acknowledges and drops them, where a key tells.',
        choices: { duplicates: 'once' },
      },
      {
        name: 'refused',
        description: 'Answers 409 to a payload that it has taken before.',
        deviation: declining(409, ({ bytes }, call) => {
          const text = bytes.toString()
          if (seen(call).has(text)) return true
          seen(call).add(text)
          return false
        }),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-22',
    name: 'a megabyte',
    levels: [
      { name: 'taken', description: 'Takes it.' },
      {
        name: 'too large',
        description: 'Refuses more than a megabyte with 413, and reads no further.',
        deviation: { rules: { maxBodyBytes: 1_000_000 } },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-19',
    name: 'unknown members',
    levels: [
      { name: 'passed over', description: 'Passes them over.' },
      {
        name: 'refused',
        description: 'Refuses them with 422.',
        deviation: declining(422, hasUnknownMember),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-18',
    name: 'nothing where something is usual',
    levels: [
      { name: 'taken', description: 'Takes null, and what is left out.' },
      {
        name: 'refused',
        description: 'Refuses a project without a description with 400.',
        deviation: declining(
          400,
          ({ payload }) =>
            isObject(payload) &&
            'project' in payload &&
            valuesAt(payload, ['project', 'description']).some(
              (value) => typeof value !== 'string',
            ),
        ),
      },
    ],
  },
]
