import { check } from '../support/define.ts'
import { jsonAt, isSuccess, refused } from '../support/expectations.ts'
import { ifRefused } from '../support/meanings.ts'
import { mentions } from '../support/json-search.ts'
import { noVariant, shownValues, variantUnchanged } from '../support/read-back.ts'
import { malformedJson } from '../support/requests.ts'
import { contradictions, describeFields } from '../support/variant-records.ts'
import { readWithManyVariants } from '../support/variant-urls.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { type Expectation, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'

/** Creates a variant that only the calling check uses. */
async function createVariant(
  { sendOrBlock, request, newName }: ImagesWorld,
  more: Record<string, unknown> = {},
  root?: RequirementId,
): Promise<string> {
  const id = newName()
  await sendOrBlock(request.createVariant({ id, options: { ...options, ...more } }), root)
  return id
}

/** Deletes a variant. Expects that it can no longer be read and is not listed. */
async function expectDeleted(world: ImagesWorld, id: string): Promise<void> {
  const { sendOrBlock, readUntil, expect, request } = world
  await world.readVariant(id)
  await sendOrBlock(request.deleteVariant(id))
  const unlisted: Expectation<HttpExchange> = {
    name: 'does not list the deleted variant',
    expected: `no ${id} in the list of variants`,
    test: (list) => !mentions(id, jsonAt(list, 'result')),
  }
  const [read, list] = await Promise.all([
    readUntil({ ...request.getVariant(id), meaning: 'absent' }, (exchange) => !isSuccess(exchange)),
    readUntil(request.listVariants(), unlisted.test),
  ])
  expect(read, refused('absent'))
  expect(list, unlisted)
}

const optionMissing = (name: string) =>
  new NotCovered(`reading a variant returned no option ${name}, so the option cannot be compared`)

export const variantsChecks = [
  check('IMG-VARIANTS-01', {
    title: 'creates a variant',
    async run({ expectSuccess, request, newName }) {
      await expectSuccess(request.createVariant({ id: newName(), options }))
    },
  }),

  check('IMG-VARIANTS-02', {
    title: 'lists variants',
    async run({ expectSuccess, request }) {
      await expectSuccess(request.listVariants())
    },
  }),

  check('IMG-VARIANTS-11', {
    title: 'lists a created variant',
    async run({ sharedVariant, readUntil, expect, request }) {
      const id = await sharedVariant()
      const found: Expectation<HttpExchange> = {
        name: 'has the variant',
        expected: `the id or name ${id} in the list of variants`,
        test: (list) => mentions(id, jsonAt(list, 'result')),
      }
      expect(await readUntil(request.listVariants(), found.test), found)
    },
  }),

  check('IMG-VARIANTS-11', {
    title: 'lists each of many variants',
    needs: ['images.bulk'],
    async run(world) {
      const { list, unlisted } = await readWithManyVariants(world)
      world.expect(list, {
        name: 'has each variant',
        expected: 'each new variant in the list of variants',
        test: (read) => unlisted(read).length === 0,
        received: (read) => `a list without ${unlisted(read).join(', ')}`,
      })
    },
  }),

  check('IMG-VARIANTS-03', {
    title: 'returns a variant',
    async run({ sharedVariant, expectSuccess, request }) {
      await expectSuccess(request.getVariant(await sharedVariant()))
    },
  }),

  check('IMG-VARIANT-01', {
    title: 'returns the right variant for each of two ids',
    async run(world) {
      const [one, other] = await Promise.all([
        createVariant(world, { width: 111 }),
        createVariant(world, { width: 222 }),
      ])
      const records = await Promise.all([world.readVariant(one), world.readVariant(other)])
      const widths = records.map((record) => shownValues('width', record))
      if (widths.flat().length === 0) throw optionMissing('width')
      const isOwn = ([a, b]: string[][]) => a!.includes('111') && b!.includes('222')
      world.expectValue(widths, {
        name: 'each has its own width',
        expected: 'width 111 for the first variant, and width 222 for the second',
        test: isOwn,
        received: ([first, second]) =>
          `width ${first!.join(' and ')} for the first variant, and width ${second!.join(' and ')} for the second`,
      })
    },
  }),

  check('IMG-VARIANT-01', {
    title: 'returns a variant whose id has upper and lower case letters',
    async run({ send, blockIfOperationBroken, readUntil, expect, request, newName }) {
      const id = `${newName()}WideBanner`
      const created = await blockIfOperationBroken(
        await send(request.createVariant({ id, options })),
      )
      if (!isSuccess(created))
        throw new NotCovered('the server accepts no name with capital and small letters')
      expect(await readUntil(request.getVariant(id), isSuccess), {
        name: 'is read',
        expected: `the variant ${id}`,
        test: isSuccess,
      })
    },
  }),

  check('IMG-VARIANT-11', {
    title: 'records the fields of a variant',
    async run({ sharedVariant, readVariant, observe }) {
      observe(
        `fields of result in the response with a variant: ${Object.keys(Object(jsonAt(await readVariant(await sharedVariant()), 'result'))).join(', ')}`,
      )
    },
  }),

  check('IMG-VARIANTS-04', {
    title: 'changes an option of a variant',
    async run(world) {
      const id = await createVariant(world)
      await world.expectSuccess(world.request.updateVariant(id, { options: { width: 480 } }))
    },
  }),

  check('IMG-VARIANTS-04', {
    title: 'returns the changed option',
    needs: ['images.state'],
    async run(world) {
      const id = await createVariant(world)
      await world.sendOrBlock(world.request.updateVariant(id, { options: { width: 480 } }))
      const read = await world.readUntil(world.request.getVariant(id), (exchange) =>
        shownValues('width', exchange).includes('480'),
      )
      if (shownValues('width', read).length === 0) throw optionMissing('width')
      world.expect(read, {
        name: 'has the new width',
        expected: 'options.width 480 when the variant is read',
        test: (exchange) => shownValues('width', exchange).includes('480'),
        received: (exchange) => `options.width ${shownValues('width', exchange).join(' and ')}`,
      })
    },
  }),

  check('IMG-VARIANTS-05', {
    title: 'keeps both changes if two requests change different options at the same time',
    async run(world) {
      const id = await createVariant(world)
      for (let round = 0; round < 3; round += 1) {
        const sizes = { width: 601 + round, height: 501 + round }
        const changes = await Promise.all(
          Object.entries(sizes).map(([name, value]) =>
            world.send(world.request.updateVariant(id, { options: { [name]: value } })),
          ),
        )
        // A server may refuse one of two simultaneous changes.
        const refused = changes.find((change) => !isSuccess(change))
        if (refused !== undefined)
          throw new NotCovered(`a change was not accepted: ${refused.summary}`)
        const missing = (read: HttpExchange) => contradictions(jsonAt(read, 'result'), sizes)
        const read = await world.readUntil(
          world.request.getVariant(id),
          (one) => missing(one).length === 0,
        )
        if (Object.keys(sizes).every((name) => shownValues(name, read).length === 0))
          throw optionMissing('width')
        world.expect(read, {
          name: 'has both changes',
          expected: `width ${sizes.width} and height ${sizes.height}, from two requests`,
          test: (one) => missing(one).length === 0,
          received: (one) => describeFields(jsonAt(one, 'result'), missing(one)),
        })
      }
    },
  }),

  check('IMG-VARIANTS-05', {
    title: 'keeps the options that a change does not name',
    async run(world) {
      const kept = { fit: 'crop', height: 240, metadata: 'copyright' }
      const id = await createVariant(world, kept, 'IMG-VARIANT-02')
      const before = await world.readVariant(id)
      // The document does not say which options a response contains. So only the options that the
      // response contains must stay the same.
      const options = Object.entries(kept).filter(([name, value]) =>
        shownValues(name, before).includes(String(value)),
      )
      if (options.length === 0)
        throw new NotCovered(
          'reading the variant returned none of the options with which it was created, so the suite cannot see whether a PATCH keeps options that are not in its body; first correct failures whose ids begin with IMG-VARIANT- or IMG-VARIANTS-',
        )
      await world.sendOrBlock(world.request.updateVariant(id, { options: { width: 480 } }))
      const changed = (exchange: HttpExchange) =>
        shownValues('width', exchange).length === 0 ||
        shownValues('width', exchange).includes('480')
      const read = await world.readUntil(world.request.getVariant(id), changed)
      for (const [name, value] of options) {
        world.expect(read, {
          name: `keeps ${name}`,
          expected: `options.${name} ${value} when the variant is read`,
          test: (exchange) => shownValues(name, exchange).includes(String(value)),
          received: (exchange) =>
            `options.${name} ${shownValues(name, exchange).join(' and ') || 'is missing'}`,
        })
      }
    },
  }),

  check('IMG-VARIANTS-06', {
    title: 'deletes a variant',
    async run(world) {
      await world.expectSuccess(world.request.deleteVariant(await createVariant(world)))
    },
  }),

  check('IMG-VARIANTS-07', {
    title: 'neither returns nor lists a deleted variant',
    async run(world) {
      await expectDeleted(world, await createVariant(world))
    },
  }),

  check('IMG-VARIANTS-07', {
    title: 'neither returns nor lists a deleted variant that was changed before',
    async run(world) {
      const id = await createVariant(world)
      await world.sendOrBlock(world.request.updateVariant(id, { options: { width: 480 } }))
      await expectDeleted(world, id)
    },
  }),

  check('IMG-VARIANTS-08', {
    title: 'refuses to return or change an unknown variant',
    async run(world) {
      const { expectRefusal, request, sharedVariant, newName } = world
      const [shared, own] = await Promise.all([sharedVariant(), createVariant(world)])
      const change = { options: { width: 480 } }
      const unknown = newName()
      await Promise.all([
        expectRefusal(request.getVariant(newName()), 'absent', {
          contrast: request.getVariant(shared),
          label: 'GET',
        }),
        expectRefusal(request.updateVariant(unknown, change), 'absent', {
          contrast: request.updateVariant(own, change),
          label: 'PATCH',
          readBack: noVariant(unknown),
        }),
      ])
    },
  }),

  check('IMG-VARIANTS-13', {
    title: 'records the response to the deletion of an unknown variant',
    async run({ send, observe, request, newName }) {
      const attempt = { ...request.deleteVariant(newName()), meaning: ifRefused('absent') }
      observe(`the deletion of an unknown variant: ${(await send(attempt)).summary}`)
    },
  }),

  check('IMG-VARIANTS-09', {
    title: 'refuses a body that is not JSON',
    async run(world) {
      const { expectRefusal, request, newName } = world
      const [id, twin] = await Promise.all([createVariant(world), createVariant(world)])
      const name = newName()
      const change = { options: { width: 480 } }
      await Promise.all([
        expectRefusal(request.createVariant(malformedJson({ id: name, options })), 'invalid', {
          contrast: request.createVariant({ id: newName(), options }),
          label: 'POST',
          readBack: noVariant(name),
        }),
        expectRefusal(request.updateVariant(id, malformedJson(change)), 'invalid', {
          contrast: request.updateVariant(twin, change),
          isTwin: true,
          label: 'PATCH',
          readBack: variantUnchanged(id, change.options),
        }),
      ])
    },
  }),

  check('IMG-VARIANTS-10', {
    title: 'refuses to change an option to an invalid value',
    async run(world) {
      const { expectRefusal, request } = world
      const [id, twin] = await Promise.all([createVariant(world), createVariant(world)])
      // The body also contains two valid options, because a server might apply options one by one
      // before it refuses the request.
      const valid = { width: 487, height: 391 }
      const change = (variant: string, changed: Record<string, unknown>) =>
        request.updateVariant(variant, { options: { ...valid, ...changed } })
      const readBack = variantUnchanged(id, valid)
      await Promise.all([
        expectRefusal(change(id, { fit: 'stretch' }), 'invalid', {
          contrast: change(twin, { fit: 'cover' }),
          isTwin: true,
          root: 'IMG-VARIANT-02',
          label: 'an unknown fit',
          readBack,
        }),
        expectRefusal(change(id, { metadata: 'everything' }), 'invalid', {
          contrast: change(twin, { metadata: 'keep' }),
          isTwin: true,
          root: 'IMG-VARIANT-06',
          label: 'an unknown value of metadata',
          readBack,
        }),
      ])
    },
  }),

  check('IMG-VARIANTS-12', {
    title: 'records how unusual variants are handled',
    needs: ['images.state'],
    async run(world) {
      const { send, observe, request, newName } = world
      const [duplicate, bare, zeroWidth] = await Promise.all([
        createVariant(world).then((id) => send(request.createVariant({ id, options }))),
        send(request.createVariant({ id: newName() })),
        send(request.createVariant({ id: newName(), options: { ...options, width: 0 } })),
      ])
      observe(`creating a variant with an id in use: status ${duplicate.status}`)
      observe(`creating a variant without options: status ${bare.status}`)
      observe(`creating a variant of width 0: status ${zeroWidth.status}`)
    },
  }),
]
