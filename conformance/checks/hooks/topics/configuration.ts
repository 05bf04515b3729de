import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { NotApplicable, NotCovered } from '../../../engine/index.ts'
import { eventFlags } from '../support/event-flags.ts'
import { statusOf } from '../support/expectations.ts'
import { check } from '../support/define.ts'
import type { HooksWorld } from '../support/world.ts'
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

/**
 * Values that a service cannot mistake for a boolean, unlike `1` or `"on"`. Null is not among them,
 * because it may mean that the flag is not set.
 */
const notBooleans: readonly (readonly [label: string, value: unknown])[] = [
  ['a word', 'perhaps'],
  ['an object', { on: 'no' }],
  ['an array', [1, 2]],
  ['a number', 74],
]

/** Valid values of fields, for requests that must succeed. */
const validValues: Readonly<Record<string, unknown>> = { token: 'a-valid-token' }

/** Expects that the service refuses each of these values of a field, but accepts a valid value. */
async function expectWrongTypesRefused(
  { minimalFields, expectRefusal, request }: HooksWorld,
  field: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const valid = await minimalFields()
  const contrast = request.create(
    field === 'url' ? valid : { ...valid, [field]: validValues[field] ?? true },
  )
  for (const [label, value] of Object.entries(values))
    await expectRefusal(request.create({ ...(await minimalFields()), [field]: value }), {
      contrast,
      label,
    })
}

/** Expects that the service refuses values that are not strings for a field that is a string. */
async function expectOtherTypesRefused(
  world: HooksWorld,
  field: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (world.request.format.isForm)
    throw new NotApplicable('the service accepts forms, in which every value is a string')
  await expectWrongTypesRefused(world, field, values)
}

export const configurationChecks = [
  check('HOOK-CONFIG-01', {
    title: 'refuses a hook without a url',
    async run({ minimalFields, newName, expectRefusal, request }) {
      const { url } = await minimalFields()
      const contrast = request.create({ url, push_events: true })
      await expectRefusal(request.create({ push_events: true }), {
        contrast,
        label: 'a request without url',
      })
      await expectRefusal(request.create({ url: null, push_events: true }), {
        contrast,
        label: 'the url null',
      })
      const others = { token: newName(), push_events: true }
      await expectRefusal(request.create(others), {
        contrast: request.create({ ...(await minimalFields()), ...others }),
        label: 'a request with a token, but without url',
      })
    },
  }),

  check('HOOK-CONFIG-02', {
    title: 'refuses a url that is not a string',
    run: (world) =>
      expectOtherTypesRefused(world, 'url', {
        'an object': { http: '127.0.0.1' },
        'an array': ['http://127.0.0.1:9/hook'],
        'a number': 7_400,
        'a boolean': true,
      }),
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
    // A number or a boolean may be converted, and null may mean no token.
    run: (world) =>
      expectOtherTypesRefused(world, 'token', {
        'an object': { secret: 'text' },
        'an array': ['text', 'text'],
      }),
  }),

  ...Object.entries(flagRequirements).map(([field, requirement]) =>
    check(requirement, {
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
    async run(world) {
      const { minimalFields, newName, send, isSuccess, expectValue, request } = world
      // Waits for a stage in which no other check creates hooks. First creates a hook with
      // push_events false, because a broken service may use the last value as the default.
      await world.waitForStage('late-writes')
      await send(request.create({ ...(await minimalFields()), push_events: false }))
      const others = { token: newName(), issues_events: true }
      const [alone, withOthers] = [await minimalFields(), { ...(await minimalFields()), ...others }]
      const first = await world.sendOrBlock(request.create(alone))
      // The requirements for `token` and `issues_events` cover whether the service accepts these
      // fields.
      const second = await send(request.create(withOthers))
      const { otherProject } = world.target
      const { url: elsewhere } = await minimalFields()
      const third =
        otherProject === undefined
          ? undefined
          : await send(request.create({ url: elsewhere }, otherProject))
      const created = [
        { label: 'a request with only a url', url: alone.url, response: first },
        { label: 'a request with other fields', url: withOthers.url, response: second },
        { label: 'a request for another project', url: elsewhere, response: third },
      ].flatMap(({ response, ...rest }) =>
        response !== undefined && isSuccess(response) ? [{ ...rest, response }] : [],
      )
      for (const { label, url, response } of created) {
        const shown = findHookRecord(response, url)?.['push_events']
        if (typeof shown !== 'boolean')
          throw new NotCovered(
            'the response to creating a hook does not contain push_events, so its default is unknown',
          )
        expectValue(shown, {
          name: `${label}: is on`,
          expected: 'push_events true in the created hook',
          test: (on) => on,
          received: () => 'push_events false',
        })
      }
    },
  }),

  check('HOOK-CONFIG-17', {
    title: 'refuses a flag that is not a boolean',
    async run(world) {
      await Promise.all(
        eventFlags.map((flag, index) => {
          const [label, value] = notBooleans[index % notBooleans.length]!
          return expectWrongTypesRefused(world, flag, { [`${flag}, ${label}`]: value })
        }),
      )
    },
  }),

  check('HOOK-CONFIG-18', {
    title: 'records the defaults of all event flags except push_events',
    async run({ minimalFields, sendOrBlock, observe, request }) {
      const fields = await minimalFields()
      const record = findHookRecord(await sendOrBlock(request.create(fields)), fields.url) ?? {}
      const shown = eventFlags.slice(1).filter((flag) => typeof record[flag] === 'boolean')
      observe(
        shown.length === 0
          ? 'the response to creating a hook contains no other event flags'
          : `defaults of the other event flags: ${shown.map((flag) => `${flag} ${String(record[flag])}`).join(', ')}`,
      )
    },
  }),

  check('HOOK-CONFIG-21', {
    title: 'refuses a value of enable_ssl_verification that is not a boolean',
    run: (world) =>
      expectWrongTypesRefused(world, 'enable_ssl_verification', Object.fromEntries(notBooleans)),
  }),
]
