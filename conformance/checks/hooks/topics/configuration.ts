import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotCovered } from '../../../engine/index.ts'
import { eventFlags } from '../support/event-flags.ts'
import { check } from '../support/define.ts'
import { recordOf } from '../support/requests.ts'

const rows: Readonly<
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
const noBoolean = 'perhaps'

export const configuration = [
  check('HOOK-CONFIG-01', {
    title: 'refuses a hook without a url',
    async run({ least, refuses, request }) {
      const { url } = await least()
      await refuses(request.create({ push_events: true }), {
        contrast: request.create({ url, push_events: true }),
      })
    },
  }),

  check('HOOK-CONFIG-02', {
    title: 'refuses a url that is no string',
    async run({ least, refuses, request }) {
      await refuses(request.create({ url: { http: '127.0.0.1' } }), {
        contrast: request.create(await least()),
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
    async run({ least, name, expectSuccess, request }) {
      await expectSuccess(request.create({ ...(await least()), token: name() }))
    },
  }),

  check('HOOK-CONFIG-05', {
    title: 'refuses a token that is no string',
    async run({ least, name, refuses, request }) {
      await refuses(request.create({ ...(await least()), token: { secret: 'text' } }), {
        contrast: request.create({ ...(await least()), token: name() }),
      })
    },
  }),

  ...Object.entries(rows).map(([field, row]) =>
    check(row, {
      title: `accepts ${field} on and off`,
      async run({ least, expectEachSuccess, request }) {
        await expectEachSuccess({
          on: request.create({ ...(await least()), [field]: true }),
          off: request.create({ ...(await least()), [field]: false }),
        })
      },
    }),
  ),

  check('HOOK-CONFIG-07', {
    title: 'turns push_events on where it is left out',
    async run({ least, sendOrBlock, expectOf, request }) {
      const fields = await least()
      const record = recordOf(await sendOrBlock(request.create(fields)), fields.url)
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
    async run({ least, refuses, request }) {
      await Promise.all(
        eventFlags.map(async (flag) => {
          const [wrong, right] = [
            request.create({ ...(await least()), [flag]: noBoolean }),
            request.create({ ...(await least()), [flag]: true }),
          ]
          await refuses(wrong, { contrast: right, label: flag })
        }),
      )
    },
  }),

  check('HOOK-CONFIG-18', {
    title: 'fills in the other flags in its own way',
    async run({ least, sendOrBlock, observe, request }) {
      const fields = await least()
      const record = recordOf(await sendOrBlock(request.create(fields)), fields.url) ?? {}
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
    async run({ least, refuses, request }) {
      const [wrong, right] = [await least(), await least()]
      await refuses(request.create({ ...wrong, enable_ssl_verification: noBoolean }), {
        contrast: request.create({ ...right, enable_ssl_verification: true }),
      })
    },
  }),
]
