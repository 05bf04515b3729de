import { NotCovered } from '../../../engine/index.ts'
import { idsOf, jsonEquals } from './expectations.ts'
import type { ImagesWorld } from './world.ts'

/** How often page 1 is read while other clients change it. */
const maxAttempts = 5

/** Expects that a host returns page 1 of its list if the request contains no page number. */
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
    // If all three reads differ, another client has changed page 1 in between, so the comparison is
    // repeated.
    if (isSame || jsonEquals(own, after) || jsonEquals(before, after))
      return expectValue(own, {
        name: 'a request without page: is page 1',
        expected: `without page, the same images as with page=1: ${after.join(', ')}`,
        test: (ids) => jsonEquals(ids, after),
        received: (ids) => ids.join(', '),
      })
    if (attempt === maxAttempts)
      throw new NotCovered('other clients changed the first page during every comparison')
    before = after
  }
}
