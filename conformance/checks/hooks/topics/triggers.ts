import { Blocked, labelled, NotCovered, type Expectation } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { eventNames, flags, type EventName } from '../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Delivery } from '../../../wire/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { eventFlags } from '../support/event-flags.ts'
import { arrives, isSuccess } from '../support/expectations.ts'
import type { CreatedHook } from '../support/hook.ts'
import { refusedOf, sendWrongCreations, type WrongCreation } from '../support/wrong-creations.ts'
import type { HooksWorld } from '../support/world.ts'

/** For each event, the requirements for its cause and for its flag. */
const requirementsOf: Readonly<Record<EventName, readonly [RequirementId, RequirementId]>> = {
  push: ['EVT-PUSH-01', 'EVT-PUSH-04'],
  tag_push: ['EVT-TAGPUSH-01', 'EVT-TAGPUSH-04'],
  issue: ['EVT-ISSUE-01', 'EVT-ISSUE-04'],
  merge_request: ['EVT-MERGEREQUEST-01', 'EVT-MERGEREQUEST-04'],
  pipeline: ['EVT-PIPELINE-01', 'EVT-PIPELINE-04'],
  job: ['EVT-JOB-01', 'EVT-JOB-04'],
  deployment: ['EVT-DEPLOYMENT-01', 'EVT-DEPLOYMENT-04'],
  wiki_page: ['EVT-WIKIPAGE-01', 'EVT-WIKIPAGE-04'],
  release: ['EVT-RELEASE-01', 'EVT-RELEASE-04'],
}

/** The result of one event in the project. */
interface Triggered {
  /** What the hook with the flag received; undefined if nothing arrived in time. */
  delivery: Delivery | undefined
  /** What the hook with all flags received. */
  deliveryToAll: Delivery | undefined
  /** A hook whose only true flag is that of another event. */
  disabled: CreatedHook
  /** For a push: a hook of another project, whose flag for the event is true. */
  foreign: CreatedHook | undefined
  /** For a push: creations that the service should refuse. */
  wrongCreations: readonly WrongCreation[]
}

/** The hook of the run whose flags are all true. */
const sharedHookOfAllEvents = (world: HooksWorld): Promise<CreatedHook> =>
  world.shared('hook of all events', ({ createHook, newName }) =>
    createHook({ ...allFlags, token: `${newName()}-All` }),
  )

/**
 * The hook of the run whose flags are all true, and whose receiver has a self-signed certificate.
 * Undefined if the service refuses such a hook.
 */
const sharedUnverifiedHook = (world: HooksWorld): Promise<CreatedHook | undefined> =>
  world.shared('hook of all events at an unverified receiver', ({ createHook }) =>
    createHook({ ...allFlags, enable_ssl_verification: true }, { secure: true }).catch(
      (error: unknown) => {
        if (error instanceof Blocked) return undefined
        throw error
      },
    ),
  )

const allFlags = Object.fromEntries(eventFlags.map((flag) => [flag, true]))

/**
 * Makes an event happen once for all checks: in the final stage and one event after the other, so
 * that no hook of another check or of another event receives it.
 */
async function triggerOnce(world: HooksWorld, event: EventName): Promise<Triggered> {
  await world.waitForStage('final')
  const queue = await world.shared('events of the project', () => Promise.resolve(new Queue()))
  return world.shared(`event ${event}`, async (common) => {
    const { startedAt, ...triggered } = await queue.add(() => trigger(common, event))
    // Waits for unwanted deliveries, which may be slower. Other events can happen during this wait.
    await common.wait(Math.max(graceMs, 3 * (common.clock.now() - startedAt)))
    return triggered
  })
}

/** Runs tasks one after the other. */
class Queue {
  private last: Promise<unknown> = Promise.resolve()

  add<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task)
    this.last = result.catch(() => {})
    return result
  }
}

async function trigger(
  world: HooksWorld,
  event: EventName,
): Promise<Triggered & { startedAt: number }> {
  const { createHook, newName, triggerEvent, receiveAmongOthers, clock, target } = world
  const flag = flags[event]
  const other = flag === 'push_events' ? 'issues_events' : 'push_events'
  // Sets all other flags to false: their defaults are open, and one event can cause others, which
  // would be delivered as well.
  const flagsWith = (one: string) =>
    Object.fromEntries(eventFlags.map((name) => [name, name === one]))
  const enabled = await createHook({ ...flagsWith(flag), token: `${newName()}-Event` })
  const disabled = await createHook(flagsWith(other))
  const foreign =
    event !== 'push' || target.otherProject === undefined
      ? undefined
      : await createHook({ [flag]: true }, { project: target.otherProject })
  const all = await sharedHookOfAllEvents(world)
  await sharedUnverifiedHook(world)
  const wrongCreations = event === 'push' ? await sendWrongCreations(world) : []
  // A test call must not end the events of the hook.
  if (event === 'push' && isSuccess(await world.send(world.request.test(enabled.id, flag))))
    await world.receiveDelivery(enabled, { event })
  const startedAt = clock.now()
  await triggerEvent(flag)
  const delivery = await receiveAmongOthers(enabled, { event }, isOf(event))
  const deliveryToAll =
    delivery === undefined
      ? undefined
      : await receiveAmongOthers(all, { event }, isOf(event), { hasOtherEvents: true })
  return { delivery, deliveryToAll, disabled, foreign, wrongCreations, startedAt }
}

/** The minimum time to wait for unwanted deliveries, in milliseconds. */
const graceMs = 250

/** Whether a delivery is of an event. An event can cause others: a push can start a pipeline. */
const isOf = (event: EventName) => (delivery: Delivery) =>
  delivery.header('x-hook-event') === events[event].header

const ofEvent = (event: EventName, { mailbox }: CreatedHook): readonly Delivery[] =>
  mailbox.deliveries.filter(isOf(event))

const receivesNothing = (name: string, event: EventName): Expectation<readonly Delivery[]> => ({
  name,
  expected: `no delivery with X-Hook-Event: ${events[event].header}`,
  test: ({ length }) => length === 0,
  received: ([first]) => first!.summary,
})

/** Blocks a check that expects silence if the event was not delivered at all. */
function requireDelivery({ delivery }: Triggered, requirement: RequirementId): void {
  if (delivery === undefined)
    throw new Blocked(requirement, 'the event in the project caused no delivery')
}

export const triggersChecks = [
  ...eventNames.flatMap((event) => {
    const [cause, flagged] = requirementsOf[event]
    const needs = [`hooks.trigger.${flags[event]}`] as const
    const title = events[event].title.toLowerCase()
    const article = /^[aeiou]/.test(title) ? 'an' : 'a'
    return [
      deliveryCheck(cause, {
        title: `delivers ${article} ${title} event when one happens in the project`,
        root: 'HOOK-TEST-02',
        needs,
        async run(world) {
          const { delivery, deliveryToAll } = await triggerOnce(world, event)
          world.expectValue(delivery, arrives)
          if (delivery !== undefined)
            world.expectValue(deliveryToAll, labelled('a hook of all events', arrives))
        },
      }),
      deliveryCheck(flagged, {
        title: `delivers ${title} events only to hooks with ${flags[event]}`,
        root: 'HOOK-TEST-02',
        needs,
        async run(world) {
          const triggered = await triggerOnce(world, event)
          requireDelivery(triggered, cause)
          world.expectValue(
            ofEvent(event, triggered.disabled),
            receivesNothing('a hook without the flag receives nothing', event),
          )
        },
      }),
    ]
  }),

  deliveryCheck('HOOK-ERROR-04', {
    title: 'delivers no event of the project to the URL of a refused creation',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      const triggered = await triggerOnce(world, 'push')
      requireDelivery(triggered, 'EVT-PUSH-01')
      for (const { label, mailbox } of refusedOf(triggered.wrongCreations))
        world.expectValue(
          mailbox.deliveries.filter(isOf('push')),
          labelled(label, receivesNothing('receives nothing', 'push')),
        )
    },
  }),

  deliveryCheck('EVT-AUTH-01', {
    title: 'delivers no event of the project to an unverified receiver',
    // Silence proves nothing if the service cannot reach the receiver.
    root: 'EVT-AUTH-02',
    needs: ['suite.receiver.tlsUrl', 'hooks.trigger.push_events'],
    async run(world) {
      const { trigger: causes } = world.target
      const caused = eventNames.filter(
        (event) => causes?.url !== undefined || causes?.[flags[event]] !== undefined,
      )
      const [push] = await Promise.all(
        [...new Set(['push', ...caused] as const)].map((event) => triggerOnce(world, event)),
      )
      requireDelivery(push!, 'EVT-PUSH-01')
      const hook = await sharedUnverifiedHook(world)
      if (hook === undefined)
        throw new NotCovered(
          'the service refuses to create a hook whose receiver has a self-signed certificate',
        )
      world.expectValue(hook.mailbox.deliveries, {
        name: 'receives nothing',
        expected: 'no request to a receiver with a self-signed certificate',
        test: ({ length }) => length === 0,
        received: ([first]) => first!.summary,
      })
    },
  }),

  deliveryCheck('HOOK-SERVICE-01', {
    title: 'delivers no event of a project to the hooks of another project',
    root: 'HOOK-TEST-02',
    needs: ['hooks.otherProject', 'hooks.trigger.push_events'],
    async run(world) {
      const triggered = await triggerOnce(world, 'push')
      requireDelivery(triggered, 'EVT-PUSH-01')
      if (triggered.foreign === undefined)
        throw new NotCovered('there is no hook of another project')
      world.expectValue(
        ofEvent('push', triggered.foreign),
        receivesNothing('a hook of another project receives nothing', 'push'),
      )
    },
  }),
]
