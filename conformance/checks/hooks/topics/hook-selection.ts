import { Blocked, NotCovered } from '../../../engine/index.ts'
import { eventNames, flags } from '../../../../generated/events/names.ts'
import type { Delivery } from '../../../wire/index.ts'
import { deliveryCheck } from '../support/define.ts'
import { graceMs, receivesNothing } from '../support/expectations.ts'
import { createEarlyHooks, type EarlyHooks } from '../support/early-hooks.ts'
import { sharedHooksOfForms } from '../support/forms.ts'
import type { CreatedHook } from '../support/hook.ts'
import {
  awaitUnwanted,
  inTurn,
  isOf,
  requireDelivery,
  sharedHookOfAllEvents,
  triggerOnce,
} from '../support/project-events.ts'
import { describeCauses, type Cause } from '../support/missing-delivery.ts'
import type { HooksWorld } from '../support/world.ts'
import { canTrigger, hasEndpointFor } from '../target.ts'

// Which hooks an event in the project reaches, if there are several hooks: old ones and new ones,
// hooks with the same URL, and hooks of another project.

const isPushDelivery = isOf('push')
const isRelease = isOf('release')

const receivesNoEvent = (whose: string) =>
  receivesNothing(`${whose}: receives nothing`, 'no delivery of an event in the project')

/** The deliveries to a hook that shares its URL with others: those that contain its token. */
const withTokenOf = ({ mailbox, token }: CreatedHook): readonly Delivery[] =>
  mailbox.deliveries.filter((delivery) => delivery.header('x-hook-token') === token)

/** Two pushes, and what the suite did to cause them. */
interface TwoPushes {
  causes: readonly Cause[]
  /** For each of the two hooks for pushes, how many of the pushes it received. */
  counts: readonly number[]
  /** How many of the pushes the hook with the slow receiver received. */
  slowCount: number
}

/**
 * Causes two pushes without waiting for a delivery between them, once for all checks. An endpoint
 * gets both requests at the same time. Programs run one after the other, because they could disturb
 * each other.
 */
async function pushTwice(world: HooksWorld): Promise<TwoPushes & { early: EarlyHooks }> {
  const early = await createEarlyHooks(world)
  await world.waitForStage('final')
  requireDelivery(world, await triggerOnce(world, 'push'), 'EVT-PUSH-01')
  const pushes = await world.shared('two pushes', async (common) => {
    const startedAt = common.clock.now()
    const pushes = await inTurn(common, () => countTwoPushes(common, early))
    await common.wait(Math.max(graceMs, common.clock.now() - startedAt))
    return pushes
  })
  return { ...pushes, early }
}

async function countTwoPushes(
  { triggerEvent, receiveAmongOthers, target }: HooksWorld,
  { pushes, slow }: EarlyHooks,
): Promise<TwoPushes> {
  const hooks = [...pushes, slow]
  const countAt = ({ mailbox }: CreatedHook) => mailbox.deliveries.filter(isPushDelivery).length
  const before = hooks.map(countAt)
  const first = triggerEvent('push_events')
  if (!hasEndpointFor(target, 'push_events')) await first
  const causes = await Promise.all([first, triggerEvent('push_events')])
  const counts = await Promise.all(
    hooks.map(async (hook, index) => {
      const countNew = () => countAt(hook) - before[index]!
      const accepts = (delivery: Delivery) => isPushDelivery(delivery) && countNew() >= 2
      await receiveAmongOthers(hook, { event: 'push' }, isPushDelivery, { accepts })
      return countNew()
    }),
  )
  return { causes, counts: counts.slice(0, pushes.length), slowCount: counts.at(-1)! }
}

const releasesTo = ({ mailbox }: CreatedHook) => mailbox.deliveries.filter(isRelease)

/**
 * The number of release events that a hook received at least. Deliveries with the same body count
 * only once, because they may be retries of one event.
 */
const countReleases = (hook: CreatedHook): number =>
  new Set(releasesTo(hook).map(({ body }) => body.toString())).size

export const hookSelectionChecks = [
  deliveryCheck('EVT-PUSH-01', {
    title: 'delivers each of two pushes that happen shortly after one another',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      // A single delivery can get lost, so it is enough if one of the two hooks receives both.
      const { counts, causes } = await pushTwice(world)
      world.expectValue(counts, {
        name: 'both are delivered',
        expected: 'two deliveries to at least one of two hooks',
        test: () => counts.some((count) => count >= 2),
        received: () =>
          `at most ${Math.max(...counts)} of the two deliveries to each hook, ${world.inTime} after ${describeCauses(causes)}`,
      })
    },
  }),

  deliveryCheck('EVT-PUSH-01', {
    title: 'delivers a push that happens before a receiver has responded to another one',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      const { counts, slowCount, causes } = await pushTwice(world)
      if (Math.max(...counts) < 2)
        throw new Blocked('EVT-PUSH-01', 'two pushes were not both delivered to other hooks either')
      world.expectValue(slowCount, {
        name: 'both are delivered',
        expected: 'two deliveries to a hook whose receiver takes two seconds to respond',
        test: (count) => count >= 2,
        received: (count) =>
          `${count} of the two deliveries ${world.inTime} after ${describeCauses(causes)}`,
      })
    },
  }),

  deliveryCheck('EVT-PUSH-01', {
    title: 'delivers pushes to each of two hooks that have the same token',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      const { early, causes } = await pushTwice(world)
      const counts = early.ofOneToken.map(
        ({ mailbox }) => mailbox.deliveries.filter(isPushDelivery).length,
      )
      world.expectValue(counts, {
        name: 'both receive pushes',
        expected: 'at least one of several pushes to each of the two hooks',
        test: (all) => all.every((count) => count > 0),
        received: ([first]) =>
          `no push to the ${first === 0 ? 'older' : 'newer'} hook after ${describeCauses(causes)}`,
      })
    },
  }),

  deliveryCheck('HOOK-CONFIG-07', {
    title: 'delivers pushes to hooks that were created without push_events',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      const { early, causes } = await pushTwice(world)
      const ofForms = await sharedHooksOfForms(world)
      const hooks = {
        'a hook with only a url': early.minimal,
        ...(ofForms && { 'a hook of a form with only a url': ofForms.minimal }),
      }
      for (const [label, { mailbox }] of Object.entries(hooks))
        world.expectValue(mailbox.deliveries.filter(isPushDelivery), {
          name: `${label}: receives pushes`,
          expected: 'at least one of several pushes, because push_events is true by default',
          test: ({ length }) => length > 0,
          received: () => `no push after ${describeCauses(causes)}`,
        })
    },
  }),

  deliveryCheck('EVT-PUSH-04', {
    title: 'delivers pushes exactly to hooks with push_events, even if hooks share a URL',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.push_events'],
    async run(world) {
      const { early } = await pushTwice(world)
      for (const [label, { mailbox }] of Object.entries(early.withoutPushes))
        world.expectValue(mailbox.deliveries.filter(isPushDelivery), receivesNoEvent(label))
      const { first, second, foreign } = early.ofOneUrl
      const ofAny = [first, second, foreign].flatMap((hook) =>
        hook === undefined ? [] : withTokenOf(hook),
      )
      // EVT-HEADER-01 covers deliveries with another token.
      if (ofAny.length > 0 || first.mailbox.deliveries.length === 0)
        world.expectValue(withTokenOf(first).filter(isPushDelivery), {
          name: 'the oldest of several hooks with the same URL: receives pushes',
          expected: `a push with X-Hook-Token: "${first.token}", although newer hooks have the same URL`,
          test: ({ length }) => length > 0,
          received: () => `${ofAny.length} deliveries with the tokens of other hooks`,
        })
      if (second !== undefined)
        world.expectValue(
          withTokenOf(second).filter(isPushDelivery),
          receivesNoEvent('a newer hook with the same URL, without push_events'),
        )
    },
  }),

  deliveryCheck('EVT-RELEASE-01', {
    title: 'delivers every release event even to hooks that have received nothing before',
    root: 'HOOK-TEST-02',
    needs: ['hooks.trigger.releases_events'],
    async run(world) {
      const { releases } = await createEarlyHooks(world)
      const triggered = await triggerOnce(world, 'release')
      requireDelivery(world, triggered, 'EVT-RELEASE-01')
      await awaitUnwanted(world, triggered)
      // This hook is newer than the others, but has received other events before. So if it receives
      // more releases than they do, its age is not the reason.
      const all = await sharedHookOfAllEvents(world)
      const wanted = Math.max(1, countReleases(all))
      const counts = await Promise.all(
        releases.map(async (hook) => {
          await world.receiveAmongOthers(hook, { event: 'release' }, isRelease, {
            accepts: (delivery) => isRelease(delivery) && releasesTo(hook).length >= wanted,
          })
          // Two events can have the same body in deliveries to one hook and different bodies in
          // deliveries to another, so every delivery counts here.
          return releasesTo(hook).length
        }),
      )
      world.expectValue(counts, {
        name: 'the first event is delivered',
        expected: `${wanted} release events, as many as a newer hook with more flags received`,
        test: (all) => all.some((count) => count >= wanted),
        received: (all) =>
          `${Math.max(...all)} release events ${world.inTime} after ${describeCauses(triggered.causes)}`,
      })
    },
  }),

  deliveryCheck('HOOK-SERVICE-01', {
    title: 'delivers no event of a project to a hook with all flags in another project',
    root: 'HOOK-TEST-02',
    needs: ['hooks.otherProject', 'hooks.trigger.push_events'],
    async run(world) {
      const { foreign, ofOneUrl } = await createEarlyHooks(world)
      await world.waitForStage('final')
      const caused = eventNames.filter((event) => canTrigger(world.target, flags[event]))
      const triggered = await Promise.all(
        [...new Set(['push', ...caused] as const)].map((event) => triggerOnce(world, event)),
      )
      requireDelivery(world, triggered[0]!, 'EVT-PUSH-01')
      if (foreign === undefined) throw new NotCovered('there is no hook of another project')
      await awaitUnwanted(world, ...triggered)
      world.expectValue(
        foreign.mailbox.deliveries.filter((delivery) =>
          eventNames.some((event) => isOf(event)(delivery)),
        ),
        receivesNoEvent('a hook with all flags'),
      )
      if (ofOneUrl.foreign !== undefined)
        world.expectValue(
          withTokenOf(ofOneUrl.foreign),
          receivesNoEvent('a hook with the URL of a hook of the project'),
        )
    },
  }),
]
