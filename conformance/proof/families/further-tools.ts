import { addCopyIfAccepted } from '../faults/tools/books.ts'
import { pageResources, withPages } from '../faults/tools/lists.ts'
import type { MakeToolsDeviation } from '../faults/tools/building.ts'
import { notifyOnStreams } from '../faults/tools/resource-updates.ts'
import { resumeWith } from '../faults/tools/resumption.ts'

/**
 * What the mock does not offer, and conforming servers may. Without it, no conforming server would
 * show that the checks of these features can be passed. The faults of the features differ from it
 * in one point each.
 */
export const furtherFeatures = {
  /** Lists with several pages. */
  pages: withPages(pageResources((all) => all.slice(2))),
  /** Streams that clients can resume. */
  resumption: resumeWith(
    (event, last, session) =>
      event.session === session && event.stream === last.stream && event.number > last.number,
  ),
  /**
   * Notifications of changed resources, several event streams in a session, and a call that changes
   * a book if the user accepts its elicitation.
   */
  updates: (hit) => ({
    ...notifyOnStreams((open) => open.slice(0, 1))(hit),
    around: addCopyIfAccepted,
  }),
} satisfies Readonly<Record<string, MakeToolsDeviation>>
