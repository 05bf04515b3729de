import { actingCheck } from '../../../engine/index.ts'
import type { ReceiverWorld } from '../support/world.ts'
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
