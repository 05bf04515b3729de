import { isObject, NotApplicable, NotCovered } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { eventNames, flags, type EventName } from '../../../../generated/events/names.ts'
import type { Delivery } from '../../../wire/index.ts'
import { deliveryCheck, watch } from '../support/define.ts'
import { deliveryNeeds, examineEach, deliverySources } from '../support/each-delivery.ts'
import { deliveryRoots } from '../support/roots.ts'
import { declaresJson } from '../support/rules.ts'
import { expectedOf } from '../support/expectations.ts'
import type { CreatedHook } from '../support/hook.ts'

/**
 * Normalizes percent-encoding as in RFC 3986 §6.2.2.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
function normalizePath(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (triplet) => {
    const letter = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : triplet.toUpperCase()
  })
}

/**
 * Whether a delivery has the path and query of its hook. Ignores the path before `/touchstone/`,
 * which a proxy may change.
 */
function arrivedAt({ pathAndQuery }: CreatedHook, url: string): boolean {
  const split = (text: string) =>
    [text.split('?', 1)[0]!, text.slice(text.indexOf('?') + 1)] as const
  const [path, query] = split(url)
  const [wantedPath, wantedQuery] = split(pathAndQuery)
  const own = wantedPath.slice(wantedPath.indexOf('/touchstone/'))
  const pairs = (text: string) => JSON.stringify([...new URLSearchParams(text)])
  return (
    normalizePath(path).endsWith(normalizePath(own)) &&
    url.includes('?') &&
    pairs(query) === pairs(wantedQuery)
  )
}

/** How many pairs of simultaneous test calls are sent. */
const simultaneousRounds = 3

/** Events for which some rules apply only after certain actions or in certain states. */
const alternating: ReadonlySet<EventName> = new Set([
  'tag_push',
  'issue',
  'merge_request',
  'pipeline',
  'job',
])

/**
 * The project in a payload, in the same form as `named`: its id, or its path with namespace.
 * Undefined if the payload does not contain the project in this form.
 */
function projectIn(body: Readonly<Record<string, unknown>>, named: string): unknown {
  const project = isObject(body['project']) ? body['project'] : {}
  return /^\d+$/.test(named)
    ? (project['id'] ?? body['project_id'])
    : named.includes('/')
      ? project['path_with_namespace']
      : undefined
}

const asWritten = (url: string) => ({ written: url, sent: url })

/**
 * URLs that a service may refuse. Each function adds something to the URL of a mailbox, and returns
 * the URL as a client writes it (`written`), and as it must be sent, without its fragment (`sent`).
 */
const unusualUrls: Readonly<Record<string, (url: string) => { written: string; sent: string }>> = {
  // A request does not contain the fragment (RFC 9110 §7.1).
  'a fragment': (url) => ({ written: `${url}#part`, sent: url }),
  // In a URI, these letters are the percent-encoded bytes of UTF-8 (RFC 3987 §3.1).
  'non-ASCII letters': (url) => {
    const add = (letters: string) => url.replace('?', `/${letters}?`)
    return { written: add('é漢'), sent: add('%C3%A9%E6%BC%A2') }
  },
  'empty parameters': (url) => asWritten(`${url}&empty=&flag`),
  'two slashes in its path': (url) => asWritten(url.replace('?', '/a//b?')),
  'more than 255 characters': (url) => asWritten(`${url}&long=${'abcdefghij'.repeat(30)}`),
}

export const deliveriesChecks = [
  ...eventNames.map((event) => {
    const { flag, title } = events[event]
    return deliveryCheck(deliveryRoots[event], {
      title: `delivers ${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title.toLowerCase()} event after a test call for ${flag}`,
      root: 'HOOK-TEST-02',
      async run({
        createHook,
        newName,
        send,
        expectSuccess,
        request,
        receiveDelivery,
        expectValue,
        arrivesAfter,
        isSuccess,
      }) {
        // A token with upper and lower case and the special characters of Base64 reveals a service
        // that changes tokens.
        const hook = await createHook({ [flag]: true, token: `${newName()}+/Aa==` })
        const test = request.test(hook.id, flag)
        // The target file lists the event, so the test call must succeed.
        const call = await expectSuccess(test)
        expectValue(await receiveDelivery(hook, { event }), arrivesAfter(call))
        // A service may alternate between a created and a deleted tag, or between the states of an
        // object, so this sends a second call. HOOK-TEST-03 covers whether a second call succeeds.
        if (alternating.has(event) && isSuccess(await send(test)))
          await receiveDelivery(hook, { event })
      },
    })
  }),

  deliveryCheck('EVT-EVENT-12', {
    title: 'delivers an event for a test call with confidential_issues_events',
    root: 'HOOK-TEST-02',
    needs: ['hooks.testEvents.confidential_issues_events'],
    async run(world) {
      const { createHook, newName, expectSuccess, request, receiveDelivery } = world
      const flag = 'confidential_issues_events'
      const hook = await createHook({ [flag]: true, token: `${newName()}.Confidential` })
      const call = await expectSuccess(request.test(hook.id, flag))
      world.expectValue(
        await receiveDelivery(hook, { event: 'issue', isConfidential: true }),
        world.arrivesAfter(call),
      )
    },
  }),

  deliveryCheck('EVT-EVENT-09', {
    title: 'delivers data of another project after a test call for its hook',
    root: 'HOOK-TEST-02',
    needs: ['hooks.otherProject'],
    async run({ createHook, send, request, receiveDelivery, expectValue, target, isSuccess }) {
      const project = target.otherProject!
      // The checks that examine every delivery also compare the project in these events.
      const tested = eventNames.filter((event) => target.testEvents?.includes(flags[event]))
      const received: Delivery[] = []
      for (const event of tested) {
        const hook = await createHook({ [flags[event]]: true }, { project })
        if (!isSuccess(await send(request.test(hook.id, flags[event], project)))) continue
        const delivery = await receiveDelivery(hook, { event })
        if (delivery !== undefined) received.push(delivery)
      }
      const found = received.flatMap(({ json }) => {
        const named = isObject(json) ? projectIn(json, project) : undefined
        return named === undefined ? [] : [String(named)]
      })
      if (found.length === 0)
        throw new NotCovered('no delivery for a test call in another project contains the project')
      expectValue(found, {
        name: 'has the other project',
        expected: `project ${project}`,
        test: (projects) => projects.every((one) => one === project),
        received: (projects) => `project ${projects.join(', ')}`,
      })
    },
  }),

  deliveryCheck('EVT-EVENT-09', {
    title: 'delivers data of each project if test calls in two projects are simultaneous',
    root: 'HOOK-TEST-02',
    needs: ['hooks.otherProject'],
    async run({ createHook, send, request, receiveDelivery, expectValue, target }) {
      const hooks = [
        await createHook({ push_events: true }),
        await createHook({ push_events: true }, { project: target.otherProject! }),
      ]
      const found: { project: string; named: unknown }[] = []
      for (let round = 0; round < simultaneousRounds; round += 1) {
        await Promise.all(
          hooks.map(({ id, project }) => send(request.test(id, 'push_events', project))),
        )
        for (const hook of hooks) {
          const json = (await receiveDelivery(hook, { event: 'push' }))?.json
          const named = isObject(json) ? projectIn(json, hook.project) : undefined
          if (named !== undefined) found.push({ project: hook.project, named })
        }
      }
      if (found.length === 0)
        throw new NotCovered('no delivery for these test calls contains the project')
      const wrong = found.filter(({ project, named }) => String(named) !== project)
      expectValue(wrong, {
        name: 'each has the project of its hook',
        expected: `project ${hooks.map(({ project }) => project).join(' and project ')}, each for its hook`,
        test: ({ length }) => length === 0,
        received: ([first]) =>
          `project ${String(first!.named)} in a delivery for a hook of project ${first!.project}`,
      })
    },
  }),

  watch('EVT-EVENT-09', {
    title: 'delivers data of the project to which the hook belongs',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'has the project of the hook',
      'the project in the path of the request that created the hook',
      (delivery) => {
        const { project } = expectedOf(delivery)!.hook
        const found = isObject(delivery.json) ? projectIn(delivery.json, project) : undefined
        return found === undefined ? undefined : String(found) === project
      },
      (delivery) =>
        `project ${String(projectIn(delivery.json as object as Record<string, unknown>, expectedOf(delivery)!.hook.project))}`,
    ),
  }),

  watch('EVT-DELIVERY-01', {
    title: 'sends deliveries as POST requests',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'is a POST',
      'the method POST',
      ({ method }) => method === 'POST',
      ({ method }) => method,
    ),
  }),

  watch('EVT-DELIVERY-02', {
    title: "sends deliveries to the path and query of the hook's URL",
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'has the URL of the hook',
      "the path and query of the hook's URL",
      (delivery) => arrivedAt(expectedOf(delivery)!.hook, delivery.url),
      (delivery) => `${delivery.url}; the hook has ${expectedOf(delivery)!.hook.pathAndQuery}`,
    ),
  }),

  deliveryCheck('EVT-DELIVERY-02', {
    title: 'keeps percent-encoding in the URL of a hook, and a slash at the end of its path',
    root: 'HOOK-TEST-02',
    async run(world) {
      const { createOrSkip, openMailbox, testHook, receiveDelivery, expectValue } = world
      const mailbox = await openMailbox()
      const [path, query] = mailbox.url.split('?') as [string, string]
      // A proxy in front of the receiver may decode a path.
      const ending = (await world.isReachedDirectly()) ? '/a%2Fb/' : ''
      const hook = await createOrSkip(
        { push_events: true, url: `${path}${ending}?${query}&sum=1%2B1` },
        { mailbox },
        'the service refuses a URL with a percent-encoded slash or plus sign',
      )
      await testHook(hook)
      const delivery = await receiveDelivery(hook, { event: 'push' })
      if (delivery === undefined)
        throw new NotCovered(
          `nothing was delivered ${world.inTime} after a test call of a hook with that URL`,
        )
      expectValue(delivery, {
        name: 'has the encoded URL of the hook',
        expected: hook.pathAndQuery,
        test: ({ url }) => arrivedAt(hook, url),
        received: ({ url }) => url,
      })
    },
  }),

  ...Object.entries(unusualUrls).map(([what, change]) =>
    deliveryCheck('EVT-DELIVERY-02', {
      title: `sends deliveries to the path and query of a URL with ${what}`,
      root: 'HOOK-TEST-02',
      async run(world) {
        if (!(await world.isReachedDirectly()))
          throw new NotApplicable('a proxy in front of the receiver may change URLs')
        const mailbox = await world.openMailbox()
        const { written, sent } = change(mailbox.url)
        const hook = await world.createOrSkip(
          { push_events: true, url: written },
          { mailbox },
          `the service refuses a URL with ${what}`,
        )
        await world.testHook(hook)
        // A service may write the digits of percent-encoding in lower case.
        const addressed = { ...hook, pathAndQuery: sent.slice(new URL(sent).origin.length) }
        const delivery = await world.receiveDelivery(addressed, { event: 'push' })
        if (delivery === undefined)
          throw new NotCovered(
            `nothing was delivered ${world.inTime} after a test call of a hook with that URL`,
          )
        world.expectValue(delivery, {
          name: 'has the URL of the hook',
          expected: addressed.pathAndQuery,
          test: ({ url }) => arrivedAt(addressed, url),
          received: ({ url }) => url,
        })
      },
    }),
  ),

  deliveryCheck('EVT-DELIVERY-08', {
    title: "names the host and port of the hook's URL in the Host header",
    root: 'HOOK-TEST-02',
    async run(world) {
      if (!(await world.isReachedDirectly()))
        throw new NotApplicable('a proxy in front of the receiver may change the Host header')
      const hook = await world.createHook({ push_events: true })
      await world.testHook(hook)
      const delivery = await world.receiveDelivery(hook, { event: 'push' })
      if (delivery === undefined)
        throw new NotCovered(`nothing was delivered ${world.inTime} after a test call of the hook`)
      const { host } = new URL(hook.mailbox.url)
      world.expectValue(delivery.headersOf('host'), {
        name: 'has the host and port',
        expected: `Host: ${host}`,
        test: (sent) => sent.length === 1 && sent[0]!.toLowerCase() === host.toLowerCase(),
        received: (sent) => (sent.length === 0 ? 'no Host' : `Host: ${sent.join(', ')}`),
      })
    },
  }),

  watch('EVT-DELIVERY-03', {
    title: 'sends one JSON object in each delivery',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'is a JSON object',
      'a body that is one JSON object',
      ({ json }) => isObject(json),
      ({ json, jsonFailure }) =>
        json === undefined
          ? `no JSON object: ${jsonFailure ?? 'the body is not valid JSON'}`
          : `JSON of the type ${Array.isArray(json) ? 'array' : json === null ? 'null' : typeof json}`,
    ),
  }),

  watch('EVT-DELIVERY-04', {
    title: 'declares the content type of deliveries as JSON',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'is declared as JSON',
      'Content-Type: application/json',
      (delivery) => declaresJson(delivery.header('content-type') ?? ''),
      (delivery) => delivery.header('content-type') ?? 'no Content-Type',
    ),
  }),

  watch('EVT-DELIVERY-07', {
    title: 'sends JSON without a byte order mark',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'has no byte order mark',
      'a body that begins with JSON',
      ({ decodedBody }) => !decodedBody.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])),
      () => 'a byte order mark before the JSON',
    ),
  }),
]
