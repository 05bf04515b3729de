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
    row: 'EVT-RECEIVER-23',
    factor: 'bodies that are no JSON',
    levels: [
      { name: '400', says: 'Refuses them with 400.' },
      { name: '422', says: 'Refuses them with 422.', choices: { malformed: 422 } },
      {
        name: 'acknowledged',
        says: 'Acknowledges them, and looks at them later.',
        choices: { malformed: 'acknowledge' },
      },
    ],
  },
  {
    row: 'EVT-RECEIVER-20',
    factor: 'unknown events',
    levels: [
      { name: 'acknowledged', says: 'Acknowledges them.' },
      { name: '400', says: 'Refuses them with 400.', choices: { unknownEvent: 400 } },
      { name: '404', says: 'Refuses them with 404.', choices: { unknownEvent: 404 } },
      { name: '422', alone: true, says: 'Refuses them with 422.', choices: { unknownEvent: 422 } },
    ],
  },
  {
    row: 'EVT-RECEIVER-20',
    factor: 'header and object_kind',
    levels: [
      { name: 'not compared', says: 'Knows an event by its header.' },
      {
        name: 'compared',
        says: 'Refuses a payload of another event than its header says.',
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
    row: 'EVT-RECEIVER-21',
    factor: 'duplicates',
    levels: [
      { name: 'taken again', says: 'Takes them again.' },
      {
        name: 'dropped',
        says: 'Acknowledges and drops them, where a key tells.',
        choices: { duplicates: 'once' },
      },
      {
        name: 'refused',
        says: 'Answers 409 to a payload that it has taken before.',
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
    row: 'EVT-RECEIVER-22',
    factor: 'a megabyte',
    levels: [
      { name: 'taken', says: 'Takes it.' },
      {
        name: 'too large',
        says: 'Refuses more than a megabyte with 413, and reads no further.',
        deviation: { rules: { maxBodyBytes: 1_000_000 } },
      },
    ],
  },
  {
    row: 'EVT-RECEIVER-19',
    factor: 'unknown members',
    levels: [
      { name: 'passed over', says: 'Passes them over.' },
      {
        name: 'refused',
        says: 'Refuses them with 422.',
        deviation: declining(422, hasUnknownMember),
      },
    ],
  },
  {
    row: 'EVT-RECEIVER-18',
    factor: 'nothing where something is usual',
    levels: [
      { name: 'taken', says: 'Takes null, and what is left out.' },
      {
        name: 'refused',
        says: 'Refuses a project without a description with 400.',
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
