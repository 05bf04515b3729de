import { check } from '../support/define.ts'
import { isSuccess, jsonAt } from '../support/expectations.ts'
import { mentions } from '../support/json-search.ts'
import { ifRefused } from '../support/meanings.ts'
import { noVariant, shownValues, variantUnchanged } from '../support/read-back.ts'
import {
  contradictions,
  creationOf,
  describeFields,
  malformedFields,
  variantIn,
  type VariantValues,
} from '../support/variant-records.ts'
import { expectListedVariants } from '../support/variant-urls.ts'
import { wrongValues } from '../support/wrong-values.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'
import { NotApplicable, NotCovered, type Expectation } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'
import { swapCase } from '../../../wire/swap-case.ts'

const fits = ['scale-down', 'contain', 'cover', 'crop', 'pad']
const modes = ['none', 'copyright', 'keep']

/**
 * Variants that together have each value of `fit`, `metadata` and `neverRequireSignedURLs`. Their
 * widths and heights vary.
 */
const everyValue = ({ randomInt }: ImagesWorld): VariantValues[] =>
  fits.map((fit, index) => ({
    fit,
    width: randomInt(401, 900),
    height: randomInt(901, 1400),
    metadata: modes[index % modes.length]!,
    neverRequireSignedURLs: index % 2 === 0,
  }))

const create = ({ sendOrBlock, request }: ImagesWorld, id: string, values: VariantValues) =>
  sendOrBlock(request.createVariant(creationOf(id, values)), 'IMG-VARIANT-02')

/** Expects that a record does not contradict these values. */
const hasValues = (name: string, values: Partial<VariantValues>): Expectation<unknown> => ({
  name,
  expected: JSON.stringify(values),
  test: (record) => contradictions(record, values).length === 0,
  received: (record) => describeFields(record, contradictions(record, values)),
})

/** Expects that the fields of a record have the form that the document states. */
const isWellFormed = (name: string): Expectation<unknown> => ({
  name,
  expected: 'the JSON types that the document states, with the options in the field `options`',
  test: (record) => malformedFields(record).length === 0,
  received: (record) =>
    `${describeFields(record, malformedFields(record))} in ${JSON.stringify(record)}`,
})

const resultOf = (exchange: HttpExchange) => jsonAt(exchange, 'result')

/**
 * Creates variants with every value, reads each of them, and reads the list. The variants are
 * deleted at once, because accounts may limit their number.
 */
const createVariantsOfEveryValue = (world: ImagesWorld) =>
  world.shared('variants of every value', (common) =>
    common.withManyVariants(async () => {
      const variants = await Promise.all(
        everyValue(world).map(async (values) => {
          const id = `${common.newName()}wide`
          return { id, values, created: await create(common, id, values) }
        }),
      )
      const list = await common.readUntil(common.request.listVariants(), (exchange) =>
        variants.every(({ id }) => mentions(id, resultOf(exchange))),
      )
      const reads = await Promise.all(variants.map(({ id }) => common.readVariant(id)))
      await Promise.all(variants.map(({ id }) => common.send(common.request.deleteVariant(id))))
      return { variants: variants.map((one, index) => ({ ...one, read: reads[index]! })), list }
    }),
  )

export const variantRecordsChecks = [
  check('IMG-VARIANTS-11', {
    title: 'lists several new variants',
    async run(world) {
      const { variants, list } = await createVariantsOfEveryValue(world)
      if (!isSuccess(list)) await world.blockIfOperationBroken(list)
      const missing = (exchange: HttpExchange) =>
        variants.filter(({ id }) => !mentions(id, resultOf(exchange))).map(({ id }) => id)
      world.expect(list, {
        name: 'lists all new variants',
        expected: `the ${variants.length} variants that the check created`,
        test: (exchange) => missing(exchange).length === 0,
        received: (exchange) => `a list without ${missing(exchange).join(', ')}`,
      })
    },
  }),

  check('IMG-VARIANTS-11', {
    title: 'lists the newest variant',
    needs: ['images.state'],
    async run(world) {
      // In this stage, few other checks create variants.
      await world.waitForStage('late-writes')
      for (const values of everyValue(world).slice(0, 2)) {
        const id = world.newName()
        await create(world, id, values)
        const isListed = (list: HttpExchange) => mentions(id, resultOf(list))
        const list = await world.readUntil(world.request.listVariants(), isListed)
        world.expect(list, {
          name: 'lists the newest variant',
          expected: `the id or name ${id} in the list of variants`,
          test: isListed,
        })
      }
    },
  }),

  check('IMG-VARIANTS-02', {
    title: 'lists every variant in which images are delivered',
    needs: ['images.state'],
    run: expectListedVariants,
  }),

  check('IMG-VARIANTS-18', {
    title: 'returns a new variant with the values with which it was created',
    async run(world) {
      const { variants, list } = await createVariantsOfEveryValue(world)
      for (const { id, values, created, read } of variants) {
        world.expectValue(
          resultOf(created),
          hasValues('the response to the creation: has the values', values),
        )
        world.expectValue(
          resultOf(read),
          hasValues('the variant, read after its creation: has the values', values),
        )
        world.expectValue(
          variantIn(list, id),
          hasValues('the variant in the list: has the values', values),
        )
      }
    },
  }),

  check('IMG-VARIANT-12', {
    title: 'returns the fields of a variant with the documented names and types',
    async run(world) {
      const { variants, list } = await createVariantsOfEveryValue(world)
      for (const { id, created, read } of variants) {
        world.expectValue(
          resultOf(created),
          isWellFormed('the response to the creation: has the form'),
        )
        world.expectValue(
          resultOf(read),
          isWellFormed('the variant, read after its creation: has the form'),
        )
        world.expectValue(
          variantIn(list, id),
          isWellFormed('the variant in the list: has the form'),
        )
      }
    },
  }),

  check('IMG-VARIANTS-04', {
    title: 'keeps every change of a variant',
    needs: ['images.state'],
    async run(world) {
      const { expectSuccess, request, newName, readUntil, expectValue, randomInt } = world
      const id = newName()
      const before: VariantValues = { ...everyValue(world)[0]!, neverRequireSignedURLs: true }
      await create(world, id, before)
      // The steps change one option, decrease an option, change an option again, change two options
      // at once, and set every value of `fit` and `metadata`.
      const steps: Partial<VariantValues>[] = [
        { fit: 'crop' },
        { metadata: 'keep' },
        { width: randomInt(20, 400) },
        { height: randomInt(1500, 2000) },
        { height: randomInt(20, 400), width: randomInt(1000, 1400) },
        { height: randomInt(401, 900) },
        { fit: 'scale-down', metadata: 'none' },
        { fit: 'contain', metadata: 'copyright' },
        { fit: 'cover' },
        { fit: 'pad' },
      ]
      const responses: HttpExchange[] = []
      for (const step of steps)
        responses.push(
          await expectSuccess(request.updateVariant(id, { options: step }), 'a change'),
        )
      const after: VariantValues = Object.assign({}, before, ...steps) as VariantValues
      const isChanged = (exchange: HttpExchange) =>
        contradictions(resultOf(exchange), after).length === 0
      const [read, list] = await Promise.all([
        readUntil(request.getVariant(id), isChanged),
        readUntil(
          request.listVariants(),
          (exchange) => contradictions(variantIn(exchange, id), after).length === 0,
        ),
      ])
      expectValue(
        resultOf(read),
        hasValues('the variant, read after the changes: has the new values', after),
      )
      expectValue(
        variantIn(list, id),
        hasValues('the variant in the list: has the new values', after),
      )
      responses.forEach((response, index) =>
        expectValue(
          resultOf(response),
          hasValues('the response to the change: has the new values', steps[index]!),
        ),
      )
    },
  }),

  check('IMG-VARIANTS-18', {
    title: 'returns a variant that was deleted and created again with its new values',
    needs: ['images.state'],
    async run(world) {
      const { sendOrBlock, send, request, newName, readUntil, expectValue } = world
      const [old, values] = everyValue(world)
      const id = newName()
      await create(world, id, old!)
      await sendOrBlock(request.deleteVariant(id), 'IMG-VARIANTS-06')
      await world.waitUntilVariantGone(id)
      const again = {
        ...request.createVariant(creationOf(id, values!)),
        meaning: ifRefused('invalid'),
      }
      const created = await send(again)
      if (!isSuccess(created))
        throw new NotCovered(`the server does not use the id again: ${created.summary}`)
      const isNew = (read: HttpExchange) => contradictions(resultOf(read), values!).length === 0
      const read = await readUntil(request.getVariant(id), isNew)
      expectValue(resultOf(read), hasValues('has the new values', values!))
    },
  }),

  check('IMG-VARIANTS-17', {
    title: 'does not change or delete variants with similar ids',
    async run(world) {
      const { sendOrBlock, readVariant, request, newName, expectValue, send, expect } = world
      const [values, ...others] = everyValue(world)
      const id = newName()
      const similarVariants = [`${id}x`, `${id}y2`].map((name, index) => ({
        name,
        values: others[index]!,
      }))
      await create(world, id, values!)
      await Promise.all(similarVariants.map((one) => create(world, one.name, one.values)))
      const inOtherCase = { name: swapCase(id), values: others[2]! }
      const second = await send({
        ...request.createVariant(creationOf(inOtherCase.name, inOtherCase.values)),
        meaning: ifRefused('invalid'),
      })
      // The document does not say whether names that differ only in case are different. If they are
      // not, the second creation may have replaced the first variant.
      const isFirst = shownValues('width', await readVariant(id)).includes(String(values!.width))
      if (isSuccess(second) && isFirst) similarVariants.push(inOtherCase)
      await sendOrBlock(request.updateVariant(id, { options: { width: 275 } }))
      await readVariant(id)
      for (const one of similarVariants)
        expectValue(
          resultOf(await readVariant(one.name)),
          hasValues('after another variant was changed: is unchanged', one.values),
        )
      await sendOrBlock(request.deleteVariant(id))
      for (const one of similarVariants)
        expect(await send(request.getVariant(one.name)), {
          name: 'a variant after another was deleted: still exists',
          expected: `the variant ${one.name}, after the deletion of ${id}`,
          test: isSuccess,
        })
    },
  }),

  check('IMG-VARIANTS-18', {
    title: 'keeps a variant if the creation of another with its id is refused',
    async run(world) {
      const { send, readVariant, request, newName, expectValue } = world
      const id = newName()
      const [values, other] = everyValue(world)
      await create(world, id, values!)
      const second = await send(request.createVariant(creationOf(id, other!)))
      // The document allows a service to accept the second request and replace the variant.
      if (isSuccess(second))
        throw new NotApplicable('the server accepts a second variant with the same name')
      expectValue(resultOf(await readVariant(id)), hasValues('is kept', values!))
    },
  }),

  check('IMG-VARIANTS-14', {
    title: 'refuses a new variant without an id',
    async run({ expectRefusal, sendOrBlock, request, newName, randomInt }) {
      // If the server wrongly creates a variant, it generates the name, so only the width
      // identifies the variant. A server may refuse widths above 2,000. Other checks use widths
      // up to 1,400 at the same time.
      const before = await sendOrBlock(request.listVariants(), 'IMG-VARIANTS-02')
      const draw = () => randomInt(1_401, 1_999)
      let width = draw()
      while (widthsIn(before, width) > 0) width = draw()
      await expectRefusal(request.createVariant({ options: { ...options, width } }), 'invalid', {
        contrast: request.createVariant({ id: newName(), options: { ...options, width } }),
        readBack: async (world) =>
          world.expect(await world.readUntil(request.listVariants(), isSuccess), {
            name: 'creates nothing',
            expected: `only the variant with an id has the width ${width}`,
            test: (list) => widthsIn(list, width) <= 1,
            received: (list) => `${widthsIn(list, width)} variants with this width`,
          }),
      })
    },
  }),

  check('IMG-VARIANTS-15', {
    title: 'refuses a new variant whose id or options have the wrong type',
    async run({ expectRefusal, request, newName, randomInt }) {
      const contrast = request.createVariant({ id: newName(), options })
      // Each request has a different id. If they had the same id and a service wrongly accepted one
      // of them, it would refuse the others as conflicts.
      const arrayId = newName()
      await Promise.all([
        ...wrongValues('string', randomInt).map(([label, value]) =>
          expectRefusal(request.createVariant({ id: value, options }), 'invalid', {
            contrast,
            label: `id: ${label}`,
            readBack: noVariant(String(value)),
          }),
        ),
        ...wrongValues('object', randomInt).map(([label, value]) => {
          const id = newName()
          return expectRefusal(request.createVariant(asText({ id, options: value })), 'invalid', {
            contrast,
            label: `options: ${label}`,
            readBack: noVariant(id),
          })
        }),
        expectRefusal(request.createVariant(asText([{ id: arrayId, options }])), 'invalid', {
          contrast,
          label: 'body: an array',
          readBack: noVariant(arrayId),
        }),
      ])
    },
  }),

  check('IMG-VARIANTS-16', {
    title: 'refuses to change an option to a value of the wrong type',
    async run(world) {
      const { expectRefusal, request, newName, randomInt } = world
      const [id, twin] = [newName(), newName()]
      const [values] = everyValue(world)
      await Promise.all([create(world, id, values!), create(world, twin, values!)])
      const valid = { width: randomInt(20, 400), height: randomInt(20, 400) }
      const readBack = variantUnchanged(id, valid)
      const change = (name: string, changed: Record<string, unknown>) =>
        request.updateVariant(name, { options: { ...valid, ...changed } })
      const contrast = change(twin, {})
      await Promise.all([
        ...(['width', 'height'] as const).flatMap((option) =>
          wrongValues('integer', randomInt).map(([label, value]) =>
            expectRefusal(change(id, { [option]: value }), 'invalid', {
              contrast,
              isTwin: true,
              label: `${option}: ${label}`,
              readBack,
            }),
          ),
        ),
        ...wrongValues('object', randomInt).map(([label, value]) =>
          expectRefusal(request.updateVariant(id, asText({ options: value })), 'invalid', {
            contrast,
            isTwin: true,
            label: `options: ${label}`,
            readBack,
          }),
        ),
      ])
    },
  }),
]

const widthsIn = (list: HttpExchange, width: number) =>
  shownValues('width', list).filter((shown) => shown === String(width)).length

/**
 * A JSON body as a string. The suite compares such a body with that of the accepted request as a
 * whole, not field by field.
 */
const asText = (value: unknown) =>
  ({ kind: 'text', text: JSON.stringify(value), type: 'application/json' }) as const
