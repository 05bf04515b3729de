import { NotCovered } from '../../../engine/index.ts'
import { idsOf, jsonEquals } from './expectations.ts'
import type { ImagesWorld } from './world.ts'

/** How often page 1 is read while other clients change it. */
const maxAttempts = 5

/**
 * Expects that a request for a list without a page number returns page 1, at the account host or
 * the batch host.
 */
export async function expectFirstPageByDefault(
  { sendOrBlock, expectSuccess, request, expectValue }: ImagesWorld,
  host?: 'batch',
): Promise<void> {
  const first = async () => idsOf(await sendOrBlock(request.list({ per_page: 1, page: 1 }, host)))
  let before = await first()
  for (let attempt = 1; ; attempt += 1) {
    const own = idsOf(await expectSuccess(request.list({ per_page: 1 }, host), 'no page'))
    const isSame = jsonEquals(own, before)
    const after = isSame ? before : await first()
    // If all three readings differ, another client has changed page 1 in between. Then the
    // comparison proves nothing, and is repeated.
    if (isSame || jsonEquals(own, after) || jsonEquals(before, after))
      return expectValue(own, {
        name: 'no page: is page 1',
        expected: `without page, the same images as with page=1: ${after.join(', ')}`,
        test: (ids) => jsonEquals(ids, after),
        received: (ids) => ids.join(', '),
      })
    if (attempt === maxAttempts)
      throw new NotCovered('other clients change the first page all the time')
    before = after
  }
}
