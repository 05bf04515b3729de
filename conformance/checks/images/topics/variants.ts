import { check } from '../support/define.ts'
import { at, isSuccess, refused } from '../support/expectations.ts'
import { membersNamed, mentions } from '../support/records.ts'
import { brokenJson } from '../support/requests.ts'
import { variantOptions as options, type ImagesWorld } from '../support/world.ts'
import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { type Expectation, NotCovered } from '../../../engine/index.ts'
import type { HttpExchange } from '../../../wire/index.ts'

/** A variant for this check alone. */
async function made(
  { given, request, name }: ImagesWorld,
  more: Record<string, unknown> = {},
  root?: RequirementId,
): Promise<string> {
  const id = name()
  await given(request.createVariant({ id, options: { ...options, ...more } }), root)
  return id
}

/** What a variant's record shows under that name, as texts: neither the members of a record nor their types are stated. */
const shown = (name: string, exchange: HttpExchange) =>
  membersNamed(name, at(exchange, 'result')).map(String)

export const variants = [
  check('IMG-VARIANTS-01', {
    title: 'creates a variant',
    async run({ succeeds, request, name }) {
      await succeeds(request.createVariant({ id: name(), options }))
    },
  }),

  check('IMG-VARIANTS-02', {
    title: 'lists variants',
    async run({ succeeds, request }) {
      await succeeds(request.listVariants())
    },
  }),

  check('IMG-VARIANTS-11', {
    title: 'lists a created variant',
    async run({ variant, settled, expect, request }) {
      const id = await variant()
      const found: Expectation<HttpExchange> = {
        name: 'has the variant',
        expected: `${id} somewhere in the result`,
        test: (list) => mentions(id, at(list, 'result')),
      }
      expect(await settled(request.listVariants(), found.test), found)
    },
  }),

  check('IMG-VARIANTS-03', {
    title: 'reads a variant',
    async run({ variant, succeeds, request }) {
      await succeeds(request.getVariant(await variant()))
    },
  }),

  check('IMG-VARIANT-01', {
    title: 'keeps two variants under the names they were created with',
    async run(world) {
      const [one, other] = await Promise.all([
        made(world, { width: 111 }),
        made(world, { width: 222 }),
      ])
      const records = await Promise.all([world.readVariant(one), world.readVariant(other)])
      const widths = records.map((record) => shown('width', record))
      if (widths.flat().length === 0) throw new NotCovered("a variant's record shows no options")
      const right = ([a, b]: string[][]) => a!.includes('111') && b!.includes('222')
      world.expectOf(widths, {
        name: 'each name has its own',
        expected: '111 and 222',
        test: right,
        received: (found) => found.join(' and '),
      })
    },
  }),

  check('IMG-VARIANT-11', {
    title: 'shows some fields of a variant',
    async run({ variant, readVariant, observe }) {
      observe(
        `a variant's result has ${Object.keys(Object(at(await readVariant(await variant()), 'result'))).join(', ')}`,
      )
    },
  }),

  check('IMG-VARIANTS-04', {
    title: 'changes an option of a variant',
    async run(world) {
      const id = await made(world)
      await world.succeeds(world.request.updateVariant(id, { options: { width: 480 } }))
    },
  }),

  check('IMG-VARIANTS-04', {
    title: 'shows the changed option',
    needs: ['images.state'],
    async run(world) {
      const id = await made(world)
      await world.given(world.request.updateVariant(id, { options: { width: 480 } }))
      const read = await world.settled(world.request.getVariant(id), (exchange) =>
        shown('width', exchange).includes('480'),
      )
      if (shown('width', read).length === 0)
        throw new NotCovered("a variant's record shows no options")
      world.expect(read, {
        name: 'has the new width',
        expected: 'width 480',
        test: (exchange) => shown('width', exchange).includes('480'),
      })
    },
  }),

  check('IMG-VARIANTS-05', {
    title: 'keeps the options that a change does not name',
    async run(world) {
      const kept = { fit: 'crop', height: 240, metadata: 'copyright' }
      const id = await made(world, kept, 'IMG-VARIANT-02')
      const before = await world.readVariant(id)
      // Which of its options a record shows is open: those that it shows must stay.
      const options = Object.entries(kept).filter(([name, value]) =>
        shown(name, before).includes(String(value)),
      )
      if (options.length === 0) throw new NotCovered("a variant's record shows no options")
      await world.given(world.request.updateVariant(id, { options: { width: 480 } }))
      const changed = (exchange: HttpExchange) =>
        shown('width', exchange).length === 0 || shown('width', exchange).includes('480')
      const read = await world.settled(world.request.getVariant(id), changed)
      for (const [name, value] of options) {
        world.expect(read, {
          name: `keeps ${name}`,
          expected: `${name} ${value}`,
          test: (exchange) => shown(name, exchange).includes(String(value)),
        })
      }
    },
  }),

  check('IMG-VARIANTS-06', {
    title: 'deletes a variant',
    async run(world) {
      await world.succeeds(world.request.deleteVariant(await made(world)))
    },
  }),

  check('IMG-VARIANTS-07', {
    title: 'knows a deleted variant no more',
    async run(world) {
      const { given, settled, expect, request } = world
      const id = await made(world)
      await world.readVariant(id)
      await given(request.deleteVariant(id))
      const gone: Expectation<HttpExchange> = {
        name: 'has it no more',
        expected: `${id} nowhere in the result`,
        test: (list) => !mentions(id, at(list, 'result')),
      }
      const [read, list] = await Promise.all([
        settled(
          { ...request.getVariant(id), meaning: 'absent' },
          (exchange) => !isSuccess(exchange),
        ),
        settled(request.listVariants(), gone.test),
      ])
      expect(read, refused('absent'))
      expect(list, gone)
    },
  }),

  check('IMG-VARIANTS-08', {
    title: 'finds no variant under an unknown id',
    async run(world) {
      const { refuses, request, variant, name } = world
      const [shared, own, doomed] = await Promise.all([variant(), made(world), made(world)])
      const change = { options: { width: 480 } }
      await Promise.all([
        refuses(request.getVariant(name()), 'absent', {
          contrast: request.getVariant(shared),
          label: 'GET',
        }),
        refuses(request.updateVariant(name(), change), 'absent', {
          contrast: request.updateVariant(own, change),
          label: 'PATCH',
        }),
        refuses(request.deleteVariant(name()), 'absent', {
          contrast: request.deleteVariant(doomed),
          label: 'DELETE',
        }),
      ])
    },
  }),

  check('IMG-VARIANTS-09', {
    title: 'refuses a body that is not JSON',
    async run(world) {
      const { refuses, request, name } = world
      const id = await made(world)
      await Promise.all([
        refuses(request.createVariant(brokenJson), 'invalid', {
          contrast: request.createVariant({ id: name(), options }),
          label: 'POST',
        }),
        refuses(request.updateVariant(id, brokenJson), 'invalid', {
          contrast: request.updateVariant(id, { options: { width: 480 } }),
          label: 'PATCH',
        }),
      ])
    },
  }),

  check('IMG-VARIANTS-10', {
    title: 'refuses to change options to unknown values',
    async run(world) {
      const { refuses, request } = world
      const id = await made(world)
      const change = (changed: Record<string, unknown>) =>
        request.updateVariant(id, { options: changed })
      await Promise.all([
        refuses(change({ fit: 'stretch' }), 'invalid', {
          contrast: change({ fit: 'cover' }),
          root: 'IMG-VARIANT-02',
          label: 'fit',
        }),
        refuses(change({ metadata: 'everything' }), 'invalid', {
          contrast: change({ metadata: 'keep' }),
          root: 'IMG-VARIANT-06',
          label: 'metadata',
        }),
      ])
    },
  }),

  check('IMG-VARIANTS-12', {
    title: 'does something with doubtful variants',
    needs: ['images.state'],
    async run(world) {
      const { send, observe, request, name } = world
      const [again, bare, flat] = await Promise.all([
        made(world).then((id) => send(request.createVariant({ id, options }))),
        send(request.createVariant({ id: name() })),
        send(request.createVariant({ id: name(), options: { ...options, width: 0 } })),
      ])
      observe(`an id that is in use: ${again.status}`)
      observe(`no options: ${bare.status}`)
      observe(`a width of zero: ${flat.status}`)
    },
  }),
]
