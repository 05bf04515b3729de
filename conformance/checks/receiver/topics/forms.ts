import type { EventName } from '../../../../generated/events/contract.ts'
import { exampleOf } from '../../../../generated/events/examples.ts'
import { actingCheck, labelled, NotCovered, type Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { acknowledged, type ReceiverWorld } from '../support/world.ts'
import type { ReceiverNeed } from '../target.ts'
import { listOrdinaryPayloads } from '../support/ordinary-values.ts'
import { richestPayload, type MutableJson } from '../support/payloads.ts'

/** Reverses the order of the members of every object. */
function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  )
}

/**
 * Escapes slashes and all characters beyond ASCII. JSON allows these escapes, but does not require
 * them.
 */
const escapeStrings = (json: string) =>
  json
    .replaceAll('/', '\\/')
    .replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Adds characters above U+FFFF to the description of the project and the name of the user. */
function withEmoji(payload: MutableJson): MutableJson {
  const project = payload['project'] as MutableJson | undefined
  return {
    ...payload,
    ...(project === undefined ? {} : { project: { ...project, description: 'Überall 🚀 𝒳' } }),
    ...('user_name' in payload ? { user_name: 'Zoë 🦊' } : {}),
  }
}

const raiseBeyond32Bits = (id: unknown) => Number(id) + 7_000_000_000

/**
 * Raises the ids of the user, the object, the job and the deployment beyond 32 bits. Empties
 * `changes`, which could contradict the new ids.
 */
function withLargeIds(payload: MutableJson): MutableJson {
  const raiseId = (holder: unknown, name: string) =>
    typeof holder === 'object' && holder !== null && name in holder
      ? { ...holder, [name]: raiseBeyond32Bits((holder as MutableJson)[name]) }
      : holder
  const { user, object_attributes: attributes } = payload
  return {
    ...payload,
    ...(user === undefined ? {} : { user: raiseId(user, 'id') }),
    ...(attributes === undefined ? {} : { object_attributes: raiseId(attributes, 'id') }),
    ...('changes' in payload ? { changes: {} } : {}),
    ...Object.fromEntries(
      ['user_id', 'build_id', 'deployment_id']
        .filter((name) => name in payload)
        .map((name) => [name, raiseBeyond32Bits(payload[name])]),
    ),
  }
}

/** Equivalent spellings of a payload, by description. */
const spellings: Readonly<Record<string, (payload: MutableJson) => string>> = {
  'an indented payload': (payload) => JSON.stringify(payload, null, 2),
  'a payload with members in reverse order': (payload) => JSON.stringify(reverseMembers(payload)),
  'a payload with escaped characters': (payload) =>
    escapeStrings(JSON.stringify(withEmoji(payload))),
  'a payload with characters beyond 16 bits': (payload) => JSON.stringify(withEmoji(payload)),
  'a payload after white space': (payload) => `\n ${JSON.stringify(payload)}`,
}

/** Pads JSON with spaces, so that its first half ends within a character. */
function padToSplit(json: string): string {
  const bytes = Buffer.from(json)
  const within = bytes.findIndex((byte) => (byte & 0xc0) === 0x80)
  const missing = bytes.length - 2 * within
  return missing > 0 ? ' '.repeat(missing) + json : json + ' '.repeat(-missing)
}

/** How long the second part of a body waits, in milliseconds. */
const betweenPartsMs = 500

/** A receiver may require Content-Length (RFC 9112 §6.3). */
const acknowledgedOrLengthRequired: Expectation<HttpExchange> = {
  ...acknowledged,
  expected: 'status 2xx or 411',
  test: (exchange) => acknowledged.test(exchange) || exchange.status === 411,
}

/** For some events, sample payloads of one object, in the order in which they happen. */
const seriesOf: Readonly<Partial<Record<EventName, readonly string[]>>> = {
  issue: ['open', 'update', 'close', 'reopen'],
  merge_request: ['open', 'update', 'approved', 'merge'],
  pipeline: ['pending', 'running', 'success'],
  job: ['pending', 'running', 'success'],
  deployment: ['created', 'running', 'success'],
  wiki_page: ['create', 'update', 'delete'],
  release: ['create', 'update'],
}

/** Headers that a sender or a proxy may add or change, by description. */
const otherHeaders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another User-Agent': { 'User-Agent': 'GitHost/17.1' },
  'a User-Agent with a comment': { 'User-Agent': 'GitHost/17.1 (self-managed; en)' },
  'unknown headers': { 'X-Request-Id': '7f1c', 'X-Touchstone-Extra': 'a value' },
  'forty headers': Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`X-Extra-${index}`, `value ${index}`]),
  ),
}

/** Equivalent spellings of the media type, by description. */
const mediaTypes: Readonly<Record<string, string>> = {
  'a media type with a charset': 'application/json; charset=utf-8',
  'a media type in capitals': 'Application/JSON',
}

export const formsChecks = [
  actingCheck<ReceiverWorld>('EVT-RECEIVER-26', {
    title: 'acknowledges unusual but valid spellings of JSON and its media type',
    async run(world) {
      const { target, buildDelivery, expectSuccess, requireAcknowledging, requireTokenCheck } =
        world
      await requireAcknowledging()
      const eventAt = (index: number) => target.events[index % target.events.length]!
      const requests = [
        ...Object.entries(spellings).map(([label, spell], index) => {
          const event = eventAt(index)
          return [
            label,
            buildDelivery(event, { body: spell(richestPayload(event, world)) }),
          ] as const
        }),
        ...Object.entries(mediaTypes).map(
          ([label, type], index) => [label, buildDelivery(eventAt(index + 4), { type })] as const,
        ),
      ]
      await Promise.all(requests.map(([label, request]) => expectSuccess(request, label)))
      await requireTokenCheck()
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-26', {
    title: 'acknowledges deliveries whose body arrives in two parts',
    async run(world) {
      const { target, buildDelivery, expectSuccess, requireAcknowledging, requireTokenCheck } =
        world
      await requireAcknowledging()
      // A busy receiver may read both parts together, so no other check sends meanwhile.
      await world.waitForStage('stable-reads')
      const [event] = target.events
      const json = JSON.stringify(withEmoji(richestPayload(event!, world)))
      for (const [label, body] of [
        ['two parts', json],
        ['two parts, the first of which ends within a character', padToSplit(json)],
      ] as const)
        await expectSuccess(
          {
            ...buildDelivery(event!, { body }),
            betweenHalves: () => world.wait(betweenPartsMs),
          },
          label,
        )
      await requireTokenCheck()
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-28', {
    title: 'acknowledges events with ordinary values that no sample contains',
    async run(world) {
      const { target, buildDelivery, expectSuccess, requireAcknowledging, requireTokenCheck } =
        world
      await requireAcknowledging()
      await Promise.all(
        listOrdinaryPayloads(target.events, world).map(({ event, label, body }) =>
          expectSuccess(buildDelivery(event, { body }), label),
        ),
      )
      await requireTokenCheck()
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-28', {
    title: 'acknowledges several events of the same object',
    async run(world) {
      const { target, buildDelivery, send, expect, newSeries } = world
      await world.requireAcknowledging()
      const series = target.events.flatMap((event) => {
        const names = seriesOf[event]
        return names === undefined ? [] : [{ event, names }]
      })
      if (series.length === 0)
        throw new NotCovered<ReceiverNeed>(
          'the target file lists no event of objects that change',
          ['receiver.events.issue'],
        )
      for (const { event, names } of series) {
        const makeUnique = newSeries()
        const responses: HttpExchange[] = []
        // One after the other, in the order in which they happen.
        for (const name of names)
          responses.push(
            await send(buildDelivery(event, { body: makeUnique(exampleOf(event, name)!.text) })),
          )
        const shown = responses.find((response) => !acknowledged.test(response)) ?? responses[0]!
        expect(shown, labelled(`each event of one ${event}`, acknowledged))
      }
      await world.requireTokenCheck()
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-32', {
    title: 'acknowledges a body that is sent in chunks',
    async run(world) {
      await world.requireAcknowledging()
      const response = await world.send(
        world.buildDelivery(world.defaultEvent, { isChunked: true }),
      )
      if (!acknowledgedOrLengthRequired.test(response)) await world.blockIfOperationBroken(response)
      world.expect(response, acknowledgedOrLengthRequired)
      await world.requireTokenCheck()
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-29', {
    title: 'acknowledges deliveries with other headers',
    async run({
      buildDelivery,
      defaultEvent,
      expectSuccess,
      requireAcknowledging,
      requireTokenCheck,
    }) {
      await requireAcknowledging()
      for (const [label, headers] of Object.entries(otherHeaders))
        await expectSuccess(buildDelivery(defaultEvent, { headers }), label)
      await requireTokenCheck()
    },
  }),

  actingCheck<ReceiverWorld>('EVT-RECEIVER-27', {
    title: 'acknowledges events with ids beyond 32 bits',
    async run(world) {
      const { target, buildDelivery, expectSuccess, requireAcknowledging, requireTokenCheck } =
        world
      await requireAcknowledging()
      const [event] = target.events
      const body = JSON.stringify(withLargeIds(richestPayload(event!, world)))
      await expectSuccess(buildDelivery(event!, { body }), event)
      await requireTokenCheck()
    },
  }),
]
