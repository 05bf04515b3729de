import { isObject, labelled, NotCovered } from '../../../engine/index.ts'
import { flags } from '../../../../generated/events/names.ts'
import type { Delivery } from '../../../wire/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { expectedOf } from '../support/expectations.ts'
import { triggerOnce } from '../support/project-events.ts'
import { listObjects } from '../support/rules/rule.ts'
import { canTrigger, type HooksNeed } from '../target.ts'

/** Matches the names of fields whose moments have passed when an event is delivered. */
const pastFields = /^(build_)?(created|updated|started|finished|status_changed)_at$/

const utc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/

/** The time of a timestamp in the documented format, in milliseconds since the epoch. */
function timeOf(value: unknown): number {
  const [, date, time] = (typeof value === 'string' ? utc.exec(value) : null) ?? []
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`)
}

/** The timestamps of past moments in a delivery, with the names of their fields. */
const listPastMoments = ({ json }: Delivery): readonly (readonly [name: string, time: number])[] =>
  isObject(json)
    ? listObjects(json).flatMap(({ value }) =>
        Object.entries(value)
          .filter(([name]) => pastFields.test(name))
          .map(([name, moment]) => [name, timeOf(moment)] as const)
          .filter(([, time]) => !Number.isNaN(time)),
      )
    : []

/**
 * How far a timestamp may be ahead of the Date header, in milliseconds. The header was sent when
 * the hook was created, earlier in the run. The tolerance is less than half an hour,
 * because every other time zone differs from UTC by at least that much.
 */
const toleranceMs = 25 * 60_000

/** Events whose payloads contain such fields. */
const datedEvents = ['issue', 'merge_request', 'pipeline', 'job', 'deployment', 'release'] as const

export const momentsChecks = [
  deliveryCheck('EVT-EVENT-13', {
    title: 'sends times in UTC that are not in the future',
    root: 'HOOK-TEST-02',
    async run(world) {
      const caused = datedEvents.filter((event) => canTrigger(world.target, flags[event]))
      if (caused.length === 0)
        throw new NotCovered<HooksNeed>(
          'the target file names neither an endpoint nor a program that causes events with timestamps',
          ['hooks.trigger.url'],
        )
      const triggered = await Promise.all(
        caused.map(async (event) => [event, await triggerOnce(world, event)] as const),
      )
      const dated = triggered.flatMap(([event, { delivery }]) => {
        if (delivery === undefined) return []
        // The clock of the target may be wrong, so its own Date header counts as the present.
        const now = Date.parse(expectedOf(delivery)!.hook.response.header('date') ?? '')
        const moments = listPastMoments(delivery)
        return Number.isNaN(now) || moments.length === 0 ? [] : [{ event, now, moments }]
      })
      if (dated.length === 0)
        throw new NotCovered('no delivery contains timestamps, or no response has a Date header')
      for (const { event, now, moments } of dated)
        world.expectValue(
          moments,
          labelled(event, {
            name: 'are not in the future',
            expected: `timestamps no later than the Date header of the target, ${new Date(now).toISOString()}`,
            test: (found) => found.every(([, time]) => time <= now + toleranceMs),
            received: (found) =>
              found
                .filter(([, time]) => time > now + toleranceMs)
                .map(([name, time]) => `${name} ${new Date(time).toISOString()}`)
                .join(', '),
          }),
        )
    },
  }),
]
