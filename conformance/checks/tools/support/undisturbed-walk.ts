import { reachesEachItemOnce } from './page-expectations.ts'
import { changedData, followPages, isSteady, readPages, type PageWalk } from './page-walk.ts'

/**
 * Follows next_offset like `followPages`. If the pages do not contain every item once, follows it
 * again while no other check calls a tool, because such a call may change the data or its order.
 */
export async function followUndisturbed(
  ...[world, session, call, limit, onWrongOffset]: Parameters<typeof followPages>
): Promise<PageWalk> {
  const walk = await followPages(world, session, call, limit, onWrongOffset)
  if (reachesEachItemOnce.every(({ test }) => test(walk))) return walk
  // Must not wait for other checks, because they wait until this one no longer holds the lock.
  const alone = await world.withExclusiveUpstream(session, (exclusive) =>
    readPages(world, exclusive, call, limit, () => Promise.resolve()),
  )
  if (!isSteady(alone)) throw changedData(alone)
  return alone
}
