import type { RequirementId } from '../../../../generated/requirements/index.ts'
import type { Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { check } from '../support/define.ts'
import { isNotDraft, isSuccess, refused } from '../support/expectations.ts'
import { imageUnchanged } from '../support/read-back.ts'
import { withMovedClock } from '../support/timeline.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'

// These checks verify that images, variants and tickets do not change as time passes. They use the
// same times as the checks in expiry.ts, because each move of the clock delays all checks that need
// the clock.

const almostHalfAnHour = 28 * 60
const twoHours = 120 * 60

/**
 * Defines a check that prepares something, moves the target's clock by `seconds`, and then examines
 * what it prepared.
 */
const laterCheck = <Prepared>(
  requirement: RequirementId,
  title: string,
  seconds: number,
  prepare: (world: ImagesWorld) => Promise<Prepared>,
  examine: (world: ImagesWorld, prepared: Prepared) => Promise<void>,
) =>
  check(requirement, {
    title,
    needs: ['images.clock'],
    run: (world) =>
      withMovedClock(
        world,
        () => prepare(world),
        async (moveTo, prepared) => {
          await moveTo(seconds)
          await examine(world, prepared)
        },
      ),
  })

const isGone = (what: string): Expectation<HttpExchange> => ({
  name: 'stays deleted',
  expected: `no ${what}, because it was deleted`,
  test: (exchange) => !isSuccess(exchange),
})

async function createVariant({ sendOrBlock, request, newName }: ImagesWorld): Promise<string> {
  const id = newName()
  await sendOrBlock(request.createVariant({ id, options }))
  return id
}

export const laterChecks = [
  laterCheck(
    'IMG-DELETE-02',
    'does not return an image two hours after its deletion',
    twoHours,
    async ({ storeImage, sendOrBlock, request }) => {
      const { id } = await storeImage()
      await sendOrBlock(request.delete(id))
      return id
    },
    async ({ send, expect, request }, id) => expect(await send(request.get(id)), isGone('image')),
  ),

  laterCheck(
    'IMG-VARIANTS-07',
    'does not return a variant two hours after its deletion',
    twoHours,
    async (world) => {
      const id = await createVariant(world)
      await world.sendOrBlock(world.request.deleteVariant(id))
      return id
    },
    async ({ send, expect, request }, id) =>
      expect(await send(request.getVariant(id)), isGone('variant')),
  ),

  laterCheck(
    'IMG-VARIANT-01',
    'returns a variant two hours after its creation',
    twoHours,
    async (world) => {
      const id = await createVariant(world)
      await world.readVariant(id)
      return id
    },
    async ({ send, expect, request }, id) =>
      expect(await send(request.getVariant(id)), {
        name: 'still exists',
        expected: `the variant ${id}`,
        test: isSuccess,
      }),
  ),

  laterCheck(
    'IMG-STATE-02',
    'does not return a completed direct upload as a draft two hours later',
    twoHours,
    async ({ createTicket, sendOrBlock, readImage, request }) => {
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      await readImage(id)
      return id
    },
    async ({ send, expect, request }, id) => expect(await send(request.get(id)), isNotDraft),
  ),

  laterCheck(
    'IMG-COMPLETE-03',
    'refuses a second upload to a used upload URL that has not expired',
    almostHalfAnHour,
    async ({ createTicket, sendOrBlock, readCompleted, request }) => {
      const { id, uploadURL } = await createTicket()
      await sendOrBlock(request.complete(uploadURL))
      return { uploadURL, before: await readCompleted(id) }
    },
    async ({ send, expect, readBack, request }, { uploadURL, before }) => {
      expect(
        await send({ ...request.complete(uploadURL), meaning: 'spent' }),
        refused('spent', 'the URL was already used'),
      )
      readBack(imageUnchanged(before))
    },
  ),
]
