import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotCovered } from '../../../engine/index.ts'
import { eventFlags } from '../support/event-flags.ts'
import { check } from '../support/define.ts'
import { findHookRecord } from '../support/requests.ts'

const flagRequirements: Readonly<
  Record<(typeof eventFlags)[number] | 'enable_ssl_verification', RequirementId>
> = {
  push_events: 'HOOK-CONFIG-06',
  tag_push_events: 'HOOK-CONFIG-08',
  issues_events: 'HOOK-CONFIG-09',
  confidential_issues_events: 'HOOK-CONFIG-10',
  merge_requests_events: 'HOOK-CONFIG-11',
  wiki_page_events: 'HOOK-CONFIG-12',
  deployment_events: 'HOOK-CONFIG-13',
  job_events: 'HOOK-CONFIG-14',
  pipeline_events: 'HOOK-CONFIG-15',
  releases_events: 'HOOK-CONFIG-16',
  enable_ssl_verification: 'HOOK-CONFIG-19',
}

/** A text that no reading of booleans takes for one. */
const notBoolean = 'perhaps'

export const configuration = [
  check('HOOK-CONFIG-01', {
    title: 'refuses a hook without a url',
    async run({ minimalFields, expectRefusal, request }) {
      const { url } = await minimalFields()
      await expectRefusal(request.create({ push_events: true }), {
        contrast: request.create({ url, push_events: true }),
      })
    },
  }),

  check('HOOK-CONFIG-02', {
    title: 'refuses a url that is no string',
    async run({ minimalFields, expectRefusal, request }) {
      await expectRefusal(request.create({ url: { http: '127.0.0.1' } }), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-CONFIG-03', {
    title: 'meets a url that is no address',
    async run({ send, observe, request }) {
      for (const url of ['ftp://127.0.0.1/hook', '/hook', 'not an address']) {
        const answer = await send(request.create({ url }))
        observe(`a hook at ${JSON.stringify(url)}: ${answer.status ?? answer.failure}`)
      }
    },
  }),

  check('HOOK-CONFIG-04', {
    title: 'accepts a token',
    async run({ minimalFields, newName, expectSuccess, request }) {
      await expectSuccess(request.create({ ...(await minimalFields()), token: newName() }))
    },
  }),

  check('HOOK-CONFIG-05', {
    title: 'refuses a token that is no string',
    async run({ minimalFields, newName, expectRefusal, request }) {
      await expectRefusal(
        request.create({ ...(await minimalFields()), token: { secret: 'text' } }),
        {
          contrast: request.create({ ...(await minimalFields()), token: newName() }),
        },
      )
    },
  }),

  ...Object.entries(flagRequirements).map(([field, row]) =>
    check(row, {
      title: `accepts ${field} on and off`,
      async run({ minimalFields, expectEachSuccess, request }) {
        await expectEachSuccess({
          on: request.create({ ...(await minimalFields()), [field]: true }),
          off: request.create({ ...(await minimalFields()), [field]: false }),
        })
      },
    }),
  ),

  check('HOOK-CONFIG-07', {
    title: 'turns push_events on where it is left out',
    async run({ minimalFields, sendOrBlock, expectOf, request }) {
      const fields = await minimalFields()
      const record = findHookRecord(await sendOrBlock(request.create(fields)), fields.url)
      const shown = record?.['push_events']
      if (typeof shown !== 'boolean')
        throw new NotCovered(
          'the answer to a creation does not show push_events, and no event but a test call can be brought about',
        )
      expectOf(shown, {
        name: 'is on',
        expected: 'push_events true',
        test: (on) => on,
        received: () => 'push_events false',
      })
    },
  }),

  check('HOOK-CONFIG-17', {
    title: 'refuses a flag that is no boolean',
    async run({ minimalFields, expectRefusal, request }) {
      await Promise.all(
        eventFlags.map(async (flag) => {
          const [wrong, right] = [
            request.create({ ...(await minimalFields()), [flag]: notBoolean }),
            request.create({ ...(await minimalFields()), [flag]: true }),
          ]
          await expectRefusal(wrong, { contrast: right, label: flag })
        }),
      )
    },
  }),

  check('HOOK-CONFIG-18', {
    title: 'fills in the other flags in its own way',
    async run({ minimalFields, sendOrBlock, observe, request }) {
      const fields = await minimalFields()
      const record = findHookRecord(await sendOrBlock(request.create(fields)), fields.url) ?? {}
      const shown = eventFlags.slice(1).filter((flag) => typeof record[flag] === 'boolean')
      observe(
        shown.length === 0
          ? 'the answer to a creation shows no flags'
          : `flags that were left out: ${shown.map((flag) => `${flag} ${String(record[flag])}`).join(', ')}`,
      )
    },
  }),

  check('HOOK-CONFIG-21', {
    title: 'refuses an enable_ssl_verification that is no boolean',
    async run({ minimalFields, expectRefusal, request }) {
      const [wrong, right] = [await minimalFields(), await minimalFields()]
      await expectRefusal(request.create({ ...wrong, enable_ssl_verification: notBoolean }), {
        contrast: request.create({ ...right, enable_ssl_verification: true }),
      })
    },
  }),
]
