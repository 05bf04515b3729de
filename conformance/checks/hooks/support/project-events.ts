import { Blocked } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { flags, type EventName } from '../../../../generated/events/names.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Delivery } from '../../../wire/index.ts'
import { allFlags, allFlagsExcept, onlyFlag } from './event-flags.ts'
import { graceMs, isSuccess, receivesNothing } from './expectations.ts'
import { sharedHooksOfForms, type HooksOfForms } from './forms.ts'
import type { CreatedHook } from './hook.ts'
import { describeMissing, type Cause } from './missing-delivery.ts'
import { isConfidentialIssue } from './rules.ts'
import { deliveryRequirements } from './trigger-requirements.ts'
import { sendWrongCreations, type WrongCreation } from './wrong-creations.ts'
import type { HooksWorld } from './world.ts'

/** The result of one event in the project. */
export interface Triggered {
  /**
   * The delivery to the hook whose only true flag is that of the event; undefined if none arrived
   * in time.
   */
  delivery: Delivery | undefined
  /**
   * The delivery to the hook with all flags; undefined if this hook, or the hook with only one
   * flag, received none.
   */
  deliveryToAll: Delivery | undefined
  /** The delivery to the hook with all flags that was created from a form. */
  deliveryToForm: Delivery | undefined
  /**
   * Hooks that were created from forms. Undefined if the service refuses forms, if
   * `deliveryToAll` is undefined, or if `all` of these hooks has missed an earlier event.
   */
  ofForms: HooksOfForms | undefined
  /** What the suite did to trigger the event. */
  causes: readonly Cause[]
  /** A hook whose flags are all true, except that of the event. */
  disabled: CreatedHook
  /** For a push: a hook of another project, with push_events true. */
  foreign: CreatedHook | undefined
  /** For a push: requests to create a hook that the service should refuse, and their responses. */
  wrongCreations: readonly WrongCreation[]
  /** How long the event and its deliveries took, in milliseconds. */
  durationMs: number
}

/** The hook of the run whose flags are all true. */
export const sharedHookOfAllEvents = (world: HooksWorld): Promise<CreatedHook> =>
  world.shared('hook of all events', ({ createHook, newName }) =>
    createHook({ ...allFlags, token: `${newName()}-All` }),
  )

/**
 * The hook of the run whose flags are all true, and whose receiver has a self-signed certificate.
 * Undefined if the service refuses such a hook.
 */
export const sharedUnverifiedHook = (world: HooksWorld): Promise<CreatedHook | undefined> =>
  world.shared('hook of all events at an unverified receiver', ({ createHook }) =>
    createHook({ ...allFlags, enable_ssl_verification: true }, { secure: true }).catch(
      (error: unknown) => {
        if (error instanceof Blocked) return undefined
        throw error
      },
    ),
  )

/**
 * Triggers an event in the project, once for all checks. Runs in the final stage and for one event
 * at a time, so that no hook for another check or event receives the delivery.
 */
export async function triggerOnce(world: HooksWorld, event: EventName): Promise<Triggered> {
  await world.waitForStage('final')
  return world.shared(`event ${event}`, (common) =>
    inTurn(common, (queue) => trigger(common, event, queue)),
  )
}

/**
 * Runs a task after all earlier tasks. Tasks that cause events run one at a time, because an event
 * reaches all hooks of the run.
 */
export async function inTurn<T>(
  world: HooksWorld,
  task: (queue: EventQueue) => Promise<T>,
): Promise<T> {
  const queue = await world.shared('events of the project', () => Promise.resolve(new EventQueue()))
  return queue.add(() => task(queue))
}

/**
 * Waits for the events that other checks cause after `triggerOnce`, and then a while longer for
 * unwanted deliveries, which may be slower than the wanted ones.
 */
export async function awaitUnwanted(
  world: HooksWorld,
  ...triggered: readonly Triggered[]
): Promise<void> {
  // The other checks enter the queue as soon as their event was triggered once.
  await world.wait(1)
  await inTurn(world, () => Promise.resolve())
  const durations = triggered.map((one) => (one.delivery === undefined ? 0 : one.durationMs))
  const longest = Math.max(...durations)
  await world.wait(Math.max(graceMs, 3 * longest), 'unwanted deliveries')
}

/** Blocks a check if the event was not delivered at all. */
export function requireDelivery(
  { inTime }: HooksWorld,
  { delivery, causes }: Triggered,
  requirement: RequirementId,
): void {
  if (delivery === undefined) throw new Blocked(requirement, describeMissing(inTime, causes))
}

/** Runs tasks one after the other. */
class EventQueue {
  private last: Promise<unknown> = Promise.resolve()
  /** The events that were triggered since an event was last delivered. */
  readonly undelivered: EventName[] = []
  /**
   * Whether a new hook missed its first event, and received the event only when it was triggered
   * again. If so, events for new hooks are triggered twice from the start. Otherwise the suite
   * would wait the whole timeout for each new hook.
   */
  missesFirst = false
  /** Whether the hook that was created from a form missed an event. Later events ignore it. */
  missesForm = false

  add<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task)
    this.last = result.catch(() => {})
    return result
  }
}

/** After this many consecutive undelivered events, no further event is triggered. */
const maxUndelivered = 3

async function trigger(world: HooksWorld, event: EventName, queue: EventQueue): Promise<Triggered> {
  const { undelivered } = queue
  // Each event that is not delivered takes the whole timeout, and a few such events are enough to
  // show the failure.
  if (undelivered.length >= maxUndelivered)
    throw new Blocked(
      deliveryRequirements[undelivered[0]!][0],
      `${undelivered.length} consecutive events were not delivered (${undelivered.join(', ')})`,
    )
  const { createHook, newName, triggerEvent, receiveAmongOthers, clock, target } = world
  const flag = flags[event]
  const enabled = await createHook({ ...onlyFlag(flag), token: `${newName()}-Event` })
  const disabled = await createHook(allFlagsExcept(flag))
  const foreign =
    event !== 'push' || target.otherProject === undefined
      ? undefined
      : await createHook({ [flag]: true }, { project: target.otherProject })
  const all = await sharedHookOfAllEvents(world)
  await sharedUnverifiedHook(world)
  const ofForms = await sharedHooksOfForms(world)
  const wrongCreations = event === 'push' ? await sendWrongCreations(world) : []
  // A broken service might deliver no events to a hook after a test call, so this sends a test call
  // first.
  if (event === 'push' && isSuccess(await world.send(world.request.test(enabled.id, flag))))
    await world.receiveDelivery(enabled, { event })
  const causes: Cause[] = []
  const receiveBoth = async () => {
    const startedAt = clock.now()
    if (queue.missesFirst) causes.push(await triggerEvent(flag))
    causes.push(await triggerEvent(flag))
    const delivery = await receiveAmongOthers(enabled, { event }, isOf(event))
    const deliveryToAll =
      delivery === undefined
        ? undefined
        : await receiveAmongOthers(all, { event }, isOf(event), { accepts: isOf(event) })
    const deliveryToForm =
      deliveryToAll === undefined || ofForms === undefined || queue.missesForm
        ? undefined
        : await receiveAmongOthers(ofForms.all, { event }, isOf(event), { accepts: isOf(event) })
    return { delivery, deliveryToAll, deliveryToForm, durationMs: clock.now() - startedAt }
  }
  let received = await receiveBoth()
  // A service may need a moment before it delivers events to a new hook. If the event before this
  // one was not delivered either, a second attempt would show nothing new.
  const isComplete = () =>
    received.deliveryToAll !== undefined &&
    (received.deliveryToForm !== undefined || ofForms === undefined || queue.missesForm)
  if (!isComplete() && undelivered.length === 0) {
    const isMissed = received.delivery === undefined
    received = await receiveBoth()
    queue.missesFirst ||= isMissed && received.delivery !== undefined
  }
  if (received.delivery === undefined) undelivered.push(event)
  else undelivered.length = 0
  const isExamined = received.deliveryToAll !== undefined && !queue.missesForm
  queue.missesForm ||= !isComplete() && isExamined
  return {
    ...received,
    ofForms: isExamined ? ofForms : undefined,
    causes,
    disabled,
    foreign,
    wrongCreations,
  }
}

/**
 * Returns a function that reports whether a delivery is of this event. One event can cause others:
 * a push can start a pipeline.
 */
export const isOf = (event: EventName) => (delivery: Delivery) =>
  delivery.header('x-hook-event') === events[event].header

/** The deliveries of an event that a hook has received, without confidential issues. */
export const deliveriesOf = (event: EventName, { mailbox }: CreatedHook): readonly Delivery[] =>
  mailbox.deliveries.filter(
    (delivery) => isOf(event)(delivery) && !isConfidentialIssue(delivery.json),
  )

/** Expects no delivery of an event. */
export const receivesNothingOf = (name: string, event: EventName) =>
  receivesNothing(name, `no delivery with X-Hook-Event: ${events[event].header}`)
