import { NotCovered } from '../../../engine/index.ts'
import { flags, type EventName } from '../../../../generated/events/names.ts'
import type { Delivery } from '../../../wire/index.ts'
import type { HooksNeed } from '../target.ts'
import { actionSources } from './action-sources.ts'
import { actionsOf, furtherActionsOf, type EventWithActions } from './actions.ts'
import { allFlagsExcept, onlyFlag } from './event-flags.ts'
import { graceMs } from './expectations.ts'
import type { CreatedHook } from './hook.ts'
import type { Cause } from './missing-delivery.ts'
import { inTurn, isOf, requireDelivery, triggerOnce, type Triggered } from './project-events.ts'
import { deliveryRequirements } from './trigger-requirements.ts'
import type { DeliveryPayload } from './rules/rule.ts'
import type { HooksWorld } from './world.ts'

/** An action that the suite caused in the project, and what a hook of only its event received. */
export interface CausedAction {
  action: string
  /** How often the suite caused this action for the hook, this time included. */
  count: number
  causes: readonly Cause[]
  /** All deliveries of the event that the hook has received so far. */
  deliveries: readonly Delivery[]
  /** The deliveries of the event that the hook received after this action. */
  latest: readonly Delivery[]
}

export interface CausedActions {
  /** The actions that the document lists as causes. Ends after one that is not delivered. */
  listed: readonly CausedAction[]
  /** The further actions, except those that the target file's endpoint or program refused. */
  further: readonly CausedAction[]
  /** Why a further action could not be caused, such as a refusal of the endpoint. */
  refusal: NotCovered | undefined
  /** A hook whose flags are all true, except that of the event. */
  disabled: CreatedHook
}

/** Returns the action that a delivery shows; undefined if it shows none. */
export function actionOf(event: EventWithActions, { json }: Delivery): unknown {
  return actionSources[event].read((json ?? {}) as DeliveryPayload)
}

/**
 * Whether a delivery shows another action than the one that was caused. The document does not
 * describe further actions, so a service may call each of them an update.
 */
export const isOtherAction = (
  event: EventWithActions,
  action: string,
  delivery: Delivery,
): boolean => ![action, 'update'].includes(String(actionOf(event, delivery)))

/** Whether deliveries contain this action as often as it was caused. */
export const containsAction = (
  event: EventWithActions,
  deliveries: readonly Delivery[],
  { action, count }: Pick<CausedAction, 'action' | 'count'>,
): boolean => deliveries.filter((delivery) => actionOf(event, delivery) === action).length >= count

const hasActions = (event: EventName): event is EventWithActions => event in actionsOf

/** The error of a check whose actions the target file does not declare. */
export const noneDeclared = (actions: readonly string[]) =>
  new NotCovered<HooksNeed>(`hooks.trigger.actions contains none of ${actions.join(', ')}`, [
    'hooks.trigger.actions',
  ])

/** Causes each action of an event that the target file declares, once for all checks. */
export async function causeActions(world: HooksWorld, event: EventName): Promise<CausedActions> {
  const all = {
    listed: hasActions(event) ? actionsOf[event] : [],
    further: furtherActionsOf[event] ?? [],
  }
  const declared = new Set<string>(world.target.trigger!.actions)
  const listed = all.listed.filter((action) => declared.has(action))
  const further = all.further.filter((action) => declared.has(action))
  if (listed.length + further.length === 0) throw noneDeclared([...all.listed, ...all.further])
  // Waits until the checks in triggers.ts have triggered this event, so that their hooks receive
  // no deliveries of these actions.
  const triggered = await triggerOnce(world, event)
  requireDelivery(world, triggered, deliveryRequirements[event][0])
  return world.shared(`actions of ${event}`, (common) =>
    inTurn(common, ({ missesFirst }) =>
      new Actions(common, event, triggered, missesFirst).cause(listed, further),
    ),
  )
}

class Actions {
  private readonly world: HooksWorld
  private readonly event: EventName
  private readonly missesFirst: boolean
  /** Enough milliseconds for a delivery that is not required, or that only completes the report. */
  private readonly shortMs: number
  private hook: CreatedHook | undefined

  constructor(
    world: HooksWorld,
    event: EventName,
    { durationMs }: Triggered,
    missesFirst: boolean,
  ) {
    this.world = world
    this.event = event
    this.missesFirst = missesFirst
    this.shortMs = Math.max(4 * graceMs, 10 * durationMs)
  }

  async cause(listed: readonly string[], further: readonly string[]): Promise<CausedActions> {
    const { event, world } = this
    const disabled = await world.createHook(allFlagsExcept(flags[event]))
    // A tag can be created again after it was deleted.
    const steps = event === 'tag_push' && listed.length > 1 ? [...listed, listed[0]!] : listed
    const caused = hasActions(event) ? await this.causeListed(event, steps) : []
    return { listed: caused, ...(await this.causeFurther(further)), disabled }
  }

  private async causeListed(
    event: EventWithActions,
    steps: readonly string[],
  ): Promise<CausedAction[]> {
    const all: CausedAction[] = []
    // After one failure, a shorter time is enough for the other actions: the requirement is not
    // met, and their deliveries only complete the report.
    let within: number | undefined
    for (const [index, action] of steps.entries()) {
      const count = steps.slice(0, index + 1).filter((step) => step === action).length
      const causes: Cause[] = []
      const accepts = (delivery: Delivery) =>
        isOf(event)(delivery) && actionOf(event, delivery) === action
      this.hook ??= await this.newHook(causes, action)
      let received = await this.triggerAndReceive(causes, action, accepts, within)
      // A service can disable a hook after a failed delivery. It may also need a moment before it
      // delivers to a new hook.
      const isMissing = () => !containsAction(event, received.deliveries, { action, count })
      const mayTryAgain = () => isMissing() && received.latest.length === 0 && within === undefined
      if (mayTryAgain()) {
        this.hook = await this.newHook(causes, action)
        received = await this.triggerAndReceive(causes, action, accepts)
      }
      if (mayTryAgain()) received = await this.triggerAndReceive(causes, action, accepts)
      all.push({ action, count, causes, ...received })
      if (isMissing()) within = this.shortMs
      // Each action that is not delivered takes the whole timeout, and one such action is enough to
      // show the failure.
      if (received.deliveries.length === 0) break
    }
    return all
  }

  private async causeFurther(
    actions: readonly string[],
  ): Promise<Pick<CausedActions, 'further' | 'refusal'>> {
    const { event } = this
    const further: CausedAction[] = []
    let refusal: NotCovered | undefined
    // The service may still deliver these actions while others are caused.
    const late: unknown[] = []
    for (const action of actions)
      try {
        const causes: Cause[] = []
        this.hook ??= await this.newHook(causes, action)
        const before = this.deliveries
        const bodies = before.map(({ body }) => body.toString())
        const isNew = (delivery: Delivery) =>
          !bodies.includes(delivery.body.toString()) &&
          !(hasActions(event) && late.includes(actionOf(event, delivery)))
        const latest = () => this.deliveries.slice(before.length).filter(isNew)
        const isOther = (delivery: Delivery) =>
          hasActions(event) && isOtherAction(event, action, delivery)
        await this.trigger(causes, action)
        await this.receive(isNew, this.shortMs)
        // The service may also have sent an event for something else that happened.
        if (latest().length > 0 && latest().every(isOther)) await this.receive(isNew, this.shortMs)
        if (latest().length === 0) late.push(action)
        further.push({ action, count: 1, causes, deliveries: this.deliveries, latest: latest() })
      } catch (error) {
        if (!(error instanceof NotCovered)) throw error
        refusal = error
      }
    return { further, refusal }
  }

  private async trigger(causes: Cause[], action: string): Promise<void> {
    causes.push(await this.world.triggerEvent(flags[this.event], action))
  }

  private async newHook(causes: Cause[], action: string): Promise<CreatedHook> {
    const { createHook, newName } = this.world
    const token = `${newName()}-Action`
    const created = await createHook({ ...onlyFlag(flags[this.event]), token })
    if (this.missesFirst) await this.trigger(causes, action)
    return created
  }

  /** The deliveries of the event that the hook has received. */
  private get deliveries(): readonly Delivery[] {
    return this.hook!.mailbox.deliveries.filter(isOf(this.event))
  }

  private async triggerAndReceive(
    causes: Cause[],
    action: string,
    accepts: (delivery: Delivery) => boolean,
    within?: number,
  ): Promise<Pick<CausedAction, 'deliveries' | 'latest'>> {
    const earlier = this.deliveries.length
    await this.trigger(causes, action)
    await this.receive(accepts, within)
    return { deliveries: this.deliveries, latest: this.deliveries.slice(earlier) }
  }

  private async receive(accepts: (delivery: Delivery) => boolean, within?: number): Promise<void> {
    const { event, hook, world } = this
    await world.receiveAmongOthers(hook!, { event }, isOf(event), { accepts, within })
  }
}
