import { isObject } from '../../../../mocks/stateful/http/body.ts'
import { eventNames, events } from '../../../../mocks/deliveries/events.ts'
import { isUnknown } from '../../faults/receiver/oddities.ts'
import { valuesAt } from '../../faults/receiver/building.ts'
import type { ReceiverFactor } from './variation.ts'
import { refuseSome } from './building.ts'

const kinds = new Map(eventNames.map((name) => [events[name].header, events[name].objectKind]))

/** Choices about how a receiver handles unusual payloads. */
export const payloads: readonly ReceiverFactor[] = [
  {
    requirement: 'EVT-RECEIVER-23',
    name: 'bodies that are not JSON',
    values: [
      { name: '400', description: 'Refuses bodies that are not JSON with 400.' },
      {
        name: '422',
        description: 'Refuses bodies that are not JSON with 422.',
        choices: { malformed: 422 },
      },
      {
        name: 'acknowledged',
        description: 'Acknowledges bodies before it parses them.',
        choices: { malformed: 'acknowledge' },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-20',
    name: 'unknown events',
    values: [
      { name: 'acknowledged', description: 'Acknowledges unknown events.' },
      {
        name: '400',
        description: 'Refuses unknown events with 400.',
        choices: { unknownEvent: 400 },
      },
      {
        name: '404',
        description: 'Refuses unknown events with 404.',
        choices: { unknownEvent: 404 },
      },
      {
        name: '422',
        notCombined: true,
        description: 'Refuses unknown events with 422.',
        choices: { unknownEvent: 422 },
      },
      {
        name: '501',
        notCombined: true,
        description: 'Refuses unknown events with 501.',
        deviation: refuseSome(501, isUnknown),
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-20',
    name: 'header and object_kind',
    values: [
      { name: 'not compared', description: 'Reads the event from the header.' },
      {
        name: 'compared',
        description:
          'Refuses a payload whose object_kind is not that of the event in X-Hook-Event.',
        deviation: refuseSome(
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
    values: [
      { name: 'accepted again', description: 'Accepts repeated deliveries.' },
      {
        name: 'dropped',
        description: 'Acknowledges and drops a delivery with an Idempotency-Key that it knows.',
        choices: { duplicates: 'process once' },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-22',
    name: 'a body of more than a megabyte',
    values: [
      { name: 'accepted', description: 'Accepts a body of a megabyte.' },
      {
        name: 'refused with 413',
        description: 'Refuses a body of more than a megabyte with 413, and does not read the rest.',
        deviation: { rules: { maxBodyBytes: 1_000_000 } },
      },
    ],
  },
  {
    requirement: 'EVT-RECEIVER-18',
    name: 'null and missing members',
    values: [
      { name: 'accepted', description: 'Accepts null and missing members.' },
      {
        name: 'refused',
        description: 'Returns 400 if the project has no description.',
        deviation: refuseSome(
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
