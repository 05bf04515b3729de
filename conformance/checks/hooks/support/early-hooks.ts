import { Blocked, NotCovered } from '../../../engine/index.ts'
import type { CreatedHook } from './hook.ts'
import { isSuccess } from './expectations.ts'
import { allFlags, allFlagsExcept, onlyFlag } from './project-events.ts'
import type { Fields } from './requests.ts'
import type { HooksWorld } from './world.ts'

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
    const pushes = [await createHook(onlyFlag('push_events')), await createHook({})]
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
