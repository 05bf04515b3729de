import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotCovered } from '../../../engine/index.ts'
import { eventFlags } from '../support/event-flags.ts'
import { statusOf } from '../support/expectations.ts'
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

/** A string that no parser accepts as a boolean. */
const notBoolean = 'perhaps'

export const configurationChecks = [
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
    title: 'refuses a url that is not a string',
    async run({ minimalFields, expectRefusal, request }) {
      await expectRefusal(request.create({ url: { http: '127.0.0.1' } }), {
        contrast: request.create(await minimalFields()),
      })
    },
  }),

  check('HOOK-CONFIG-03', {
    title: 'records how an invalid url is handled',
    async run({ send, observe, request }) {
      for (const url of ['ftp://127.0.0.1/hook', '/hook', 'not an address']) {
        const response = await send(request.create({ url }))
        observe(`creating a hook with the url ${JSON.stringify(url)}: ${statusOf(response)}`)
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
    title: 'refuses a token that is not a string',
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
      title: `accepts true and false for ${field}`,
      async run({ minimalFields, expectEachSuccess, request }) {
        await expectEachSuccess({
          true: request.create({ ...(await minimalFields()), [field]: true }),
          false: request.create({ ...(await minimalFields()), [field]: false }),
        })
      },
    }),
  ),

  check('HOOK-CONFIG-07', {
    title: 'sets push_events to true by default',
    async run({ minimalFields, sendOrBlock, expectValue, request }) {
      const fields = await minimalFields()
      const record = findHookRecord(await sendOrBlock(request.create(fields)), fields.url)
      const shown = record?.['push_events']
      if (typeof shown !== 'boolean')
        throw new NotCovered(
          'the response to creating a hook does not contain push_events, and the suite can only trigger test calls',
        )
      expectValue(shown, {
        name: 'is on',
        expected: 'push_events true in the created hook',
        test: (on) => on,
        received: () => 'push_events false',
      })
    },
  }),

  check('HOOK-CONFIG-17', {
    title: 'refuses an event flag that is not a boolean',
    async run({ minimalFields, expectRefusal, request }) {
      await Promise.all(
        eventFlags.map(async (flag) => {
          const [invalid, valid] = [
            request.create({ ...(await minimalFields()), [flag]: notBoolean }),
            request.create({ ...(await minimalFields()), [flag]: true }),
          ]
          await expectRefusal(invalid, { contrast: valid, label: flag })
        }),
      )
    },
  }),

  check('HOOK-CONFIG-18', {
    title: 'records the defaults of the other event flags',
    async run({ minimalFields, sendOrBlock, observe, request }) {
      const fields = await minimalFields()
      const record = findHookRecord(await sendOrBlock(request.create(fields)), fields.url) ?? {}
      const shown = eventFlags.slice(1).filter((flag) => typeof record[flag] === 'boolean')
      observe(
        shown.length === 0
          ? 'the response to creating a hook contains no flags'
          : `defaults of the other event flags: ${shown.map((flag) => `${flag} ${String(record[flag])}`).join(', ')}`,
      )
    },
  }),

  check('HOOK-CONFIG-21', {
    title: 'refuses an enable_ssl_verification that is not a boolean',
    async run({ minimalFields, expectRefusal, request }) {
      const [invalid, valid] = [await minimalFields(), await minimalFields()]
      await expectRefusal(request.create({ ...invalid, enable_ssl_verification: notBoolean }), {
        contrast: request.create({ ...valid, enable_ssl_verification: true }),
      })
    },
  }),
]
