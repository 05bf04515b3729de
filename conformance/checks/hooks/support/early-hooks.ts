import { Blocked, NotCovered } from '../../../engine/index.ts'
import { allFlags, allFlagsExcept, onlyFlag } from './event-flags.ts'
import type { CreatedHook } from './hook.ts'
import { isSuccess } from './expectations.ts'
import type { Fields } from './requests.ts'
import type { HooksWorld } from './world.ts'

/**
 * After how many milliseconds a slow receiver responds: long enough that two pushes happen before,
 * but much shorter than the ten seconds in which receivers should respond.
 */
const slowResponseMs = 2000

/** Hooks with the same URL. The token in a delivery shows for which of the hooks it was sent. */
export interface HooksOfOneUrl {
  /** The first hook. Its only true flag is push_events. */
  first: CreatedHook
  /** A newer hook whose push_events is false; undefined if there is none. */
  second: CreatedHook | undefined
  /** A newer hook of another project, with all flags; undefined if there is none. */
  foreign: CreatedHook | undefined
}

/** Hooks that the run creates before the first event in the project. */
export interface EarlyHooks {
  /** Two hooks whose only true flag is push_events. */
  pushes: readonly CreatedHook[]
  /** Two hooks whose only true flag is releases_events. */
  releases: readonly CreatedHook[]
  /** Hooks whose push_events is false, by their labels in reports. */
  withoutPushes: Readonly<Record<string, CreatedHook>>
  /** A hook of another project, with all flags; undefined if there is none. */
  foreign: CreatedHook | undefined
  ofOneUrl: HooksOfOneUrl
  /** Two hooks whose only true flag is push_events, and that have the same token. */
  ofOneToken: readonly CreatedHook[]
  /** A hook whose only true flag is push_events, and whose receiver responds after a while. */
  slow: CreatedHook
  /** A hook that was created without flags. */
  minimal: CreatedHook
}

/** Creates the early hooks of the run once. Call it before `waitForStage('final')`. */
export const createEarlyHooks = (world: HooksWorld): Promise<EarlyHooks> =>
  world.shared('early hooks', async (common) => {
    const { createHook, newName, send, request, receiveDelivery, openMailbox, target } = common
    /** Creates a hook. Returns undefined if the service refuses it. */
    const createIfAccepted = (fields: Fields, options: Parameters<typeof createHook>[1]) =>
      createHook(fields, options).catch((error: unknown) => {
        if (error instanceof Blocked || error instanceof NotCovered) return undefined
        throw error
      })
    const { otherProject } = target
    const minimal = await createHook({})
    const pushes = [await createHook(onlyFlag('push_events')), minimal]
    const slow = await createHook(onlyFlag('push_events'))
    slow.mailbox.response = { status: 200, afterMs: slowResponseMs }
    const token = `${newName()}-OneToken`
    const ofOneToken = [
      await createHook({ ...onlyFlag('push_events'), token }),
      await createHook({ ...onlyFlag('push_events'), token }),
    ]
    const releases = [
      await createHook(onlyFlag('releases_events')),
      await createHook(onlyFlag('releases_events')),
    ]
    const withoutPushes: Record<string, CreatedHook> = {
      'a hook created with push_events false and no other flag': await createHook({
        push_events: false,
      }),
      'a hook with all flags except push_events': await createHook(allFlagsExcept('push_events')),
    }
    if (target.testEvents?.includes('issues_events') === true) {
      const tested = await createHook(onlyFlag('issues_events'))
      if (isSuccess(await send(request.test(tested.id, 'issues_events')))) {
        await receiveDelivery(tested, { event: 'issue' })
        withoutPushes['a hook for issues, after a test call'] = tested
      }
    }
    const foreign =
      otherProject === undefined
        ? undefined
        : await createIfAccepted(allFlags, { project: otherProject })
    const mailbox = await openMailbox()
    const first = await createHook(
      { ...onlyFlag('push_events'), token: `${newName()}-OneUrl` },
      { mailbox },
    )
    const foreignOfOneUrl =
      otherProject === undefined
        ? undefined
        : await createIfAccepted(
            { ...allFlags, token: `${newName()}-Foreign` },
            { mailbox, project: otherProject },
          )
    const second = await createIfAccepted(
      { ...onlyFlag('issues_events'), token: `${newName()}-Second` },
      { mailbox },
    )
    // A service may keep only one hook for each URL. A second creation request then changes the
    // first hook, and returns its id.
    const isAnother = (hook: CreatedHook | undefined) => hook?.id !== first.id
    return {
      pushes,
      ofOneToken,
      slow,
      minimal,
      releases,
      withoutPushes,
      foreign,
      ofOneUrl: {
        first,
        second: isAnother(second) ? second : undefined,
        foreign: isAnother(foreignOfOneUrl) ? foreignOfOneUrl : undefined,
      },
    }
  })
