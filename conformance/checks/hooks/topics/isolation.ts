import { NotCovered } from '../../../engine/index.ts'
import type { Delivery, HttpRequest } from '../../../wire/index.ts'
import { collectUntilControlArrives } from '../support/control.ts'
import { check, deliveryCheck } from '../support/define.ts'
import { isPush, isSuccess, receivesNothing } from '../support/expectations.ts'
import { refusedOf, sendWrongCreations } from '../support/wrong-creations.ts'
import type { HooksWorld } from '../support/world.ts'

/** How many deliveries to one hook are compared. */
const comparedDeliveries = 5

/** Tokens that a service may refuse, but must not change. Each key names a kind in the plural. */
const unusualTokens: Readonly<
  Record<string, { ending: string; name: string; describeToken: string; isWhole?: boolean }>
> = {
  'long tokens': {
    ending: 'Long_Secret-0123456789.'.repeat(8),
    name: 'has the long token',
    describeToken: 'a token of about 200 characters',
  },
  // All of these characters can be part of the value of a header (RFC 9110 §5.5).
  'tokens with special characters': {
    ending: '%41%2f,b;c&lt;<d>&"e"=\\f~!',
    name: 'has the token with special characters',
    describeToken: 'a token with a percent sign, a comma, angle brackets or an ampersand',
  },
  'tokens with spaces': {
    ending: ' two  three   end',
    name: 'has the token with spaces',
    describeToken: 'a token with spaces',
  },
  'tokens of digits': {
    ending: '00740000000000000000123',
    name: 'has the token of digits',
    describeToken: 'a token of digits',
    isWhole: true,
  },
}

/** Waits until a control hook has received a delivery. If none arrives, throws `NotCovered`. */
async function awaitControl(world: HooksWorld): Promise<void> {
  const [silent, control] = [
    await world.createHook({ push_events: true }),
    await world.createHook({ push_events: true }),
  ]
  if ((await collectUntilControlArrives(world, silent, control)) === undefined)
    throw new NotCovered(
      `nothing was delivered ${world.inTime} after an accepted test call, so the absence of deliveries proves nothing`,
    )
}

/** Test calls that a service may refuse, by what is wrong with each. */
const refusedTests: Readonly<Record<string, (world: HooksWorld, hook: string) => HttpRequest>> = {
  'an event that does not exist': ({ request }, hook) => request.test(hook, 'touchstone_events'),
  'an event with another ending': ({ request }, hook) => request.test(hook, 'push_eventsx'),
  'a project that does not exist': ({ request, newName }, hook) => {
    const test = request.test(hook, 'push_events')
    return { ...test, url: test.url.replace(/\/projects\/[^/]+\//, `/projects/${newName()}/`) }
  },
}

/**
 * The test calls of `refusedTests` and, if the target file names another project, a test call with
 * that project in its path.
 */
const refusedTestsOf = ({ target: { otherProject } }: HooksWorld): typeof refusedTests =>
  otherProject === undefined
    ? refusedTests
    : {
        ...refusedTests,
        'another project': ({ request }, hook) => request.test(hook, 'push_events', otherProject),
      }

/** The token header of a delivery, for reports. */
const tokenIn = (delivery: Delivery): string => {
  const token = delivery.header('x-hook-token')
  return token === undefined ? 'no X-Hook-Token' : `X-Hook-Token: "${token}"`
}

export const isolationChecks = [
  deliveryCheck('HOOK-TEST-08', {
    title: 'sends the delivery of a test call only to the tested hook',
    root: 'HOOK-TEST-02',
    async run(world) {
      const { createHook, testHook, receiveDelivery, expectValue } = world
      // The older hook also receives real pushes of other clients. So for this hook, only
      // deliveries with the payload of the test call count.
      const older = await createHook({ push_events: true })
      const tested = await createHook({ push_events: true, token: `${world.newName()}=Tested` })
      const newer = await createHook({ push_events: false })
      await testHook(tested)
      const delivery = await receiveDelivery(tested, { event: 'push' })
      if (delivery === undefined)
        throw new NotCovered(`nothing was delivered ${world.inTime} after a test call of the hook`)
      await awaitControl(world)
      const body = JSON.stringify(delivery.json)
      expectValue(
        older.mailbox.deliveries.filter(
          (other) => isPush(other) && JSON.stringify(other.json) === body,
        ),
        receivesNothing('an older hook: receives nothing'),
      )
      expectValue(
        newer.mailbox.deliveries.filter(isPush),
        receivesNothing('a newer hook: receives nothing'),
      )
    },
  }),

  check('HOOK-TEST-08', {
    title: 'creates hooks with different ids, so that a test call names one of them',
    needs: ['hooks.state'],
    async run({ createHook, expectValue }) {
      const ids = [(await createHook()).id, (await createHook()).id]
      expectValue(ids, {
        name: 'two hooks: have different ids',
        expected: 'two different ids',
        test: ([first, second]) => first !== second,
        received: ([first]) => `the id ${first} for both hooks`,
      })
    },
  }),

  deliveryCheck('HOOK-ERROR-04', {
    title: 'delivers nothing for a refused test call',
    root: 'HOOK-TEST-02',
    async run(world) {
      const { createHook, send, expectValue } = world
      const calls = await Promise.all(
        Object.entries(refusedTestsOf(world)).map(async ([label, build]) => {
          const hook = await createHook({ push_events: true })
          return { label, hook, response: await send(build(world, hook.id)) }
        }),
      )
      await awaitControl(world)
      for (const { label, hook } of refusedOf(calls))
        expectValue(
          hook.mailbox.deliveries.filter(isPush),
          receivesNothing(`${label}: receives nothing`),
        )
    },
  }),

  deliveryCheck('HOOK-ERROR-04', {
    title: 'creates no hook for a refused request',
    root: 'HOOK-TEST-02',
    async run(world) {
      const calls = await sendWrongCreations(world)
      // The document describes no way to list hooks, so only deliveries can show that a hook was
      // created.
      await awaitControl(world)
      for (const { label, mailbox } of refusedOf(calls))
        world.expectValue(
          mailbox.deliveries.filter(isPush),
          receivesNothing(`${label}: receives nothing`),
        )
    },
  }),

  deliveryCheck('EVT-HEADER-01', {
    title: 'sends the token of each hook if two hooks have the same URL',
    root: 'HOOK-TEST-02',
    async run(world) {
      const { createHook, createOrSkip, testHook, newName, receiveAmongOthers, expectValue } = world
      const mailbox = await world.openMailbox()
      const first = await createHook({ push_events: true, token: `${newName()}First` }, { mailbox })
      const second = await createOrSkip(
        { push_events: true, token: `${newName()}Second` },
        { mailbox },
        'the service refuses a second hook with the same URL',
      )
      if (first.id === second.id) throw new NotCovered('the service has only one hook for each URL')
      const earlier: Delivery[] = []
      for (const hook of [second, first]) {
        await testHook(hook)
        // Only the token shows to which of the two hooks a delivery belongs.
        const found = await receiveAmongOthers(hook, { event: 'push' }, isPush, {
          accepts: (request) => request.header('x-hook-token') === hook.token,
        })
        // A delivery with the body of an earlier delivery may be its repetition. In that case, the
        // delivery of this test call may still be in a queue, for example behind a delivery to a
        // slow receiver.
        const bodies = earlier.map(({ body }) => body.toString())
        const others = mailbox.deliveries.filter(
          (other) =>
            isPush(other) && !earlier.includes(other) && !bodies.includes(other.body.toString()),
        )
        if (found === undefined && others.length === 0)
          throw new NotCovered(
            `nothing was delivered ${world.inTime} after a test call of a hook with that URL`,
          )
        earlier.push(...mailbox.deliveries)
        expectValue(found, {
          name: `the ${hook === first ? 'first' : 'second'} of two hooks: has its token`,
          expected: `a delivery with the token of the tested hook, X-Hook-Token: "${hook.token}"`,
          test: (delivery) => delivery !== undefined,
          received: () => `deliveries with other tokens: ${others.map(tokenIn).join('; ')}`,
        })
      }
    },
  }),

  deliveryCheck('EVT-HEADER-01', {
    title: 'sends the token of each hook if two hooks are in different projects',
    root: 'HOOK-TEST-02',
    needs: ['hooks.otherProject'],
    async run(world) {
      const { createHook, testHook, newName, receiveDelivery, expectValue, target } = world
      const hooks = {
        'a hook of the project': await createHook({ token: `${newName()}_Project` }),
        'a hook of the other project': await createHook(
          { token: `${newName()}_Other` },
          { project: target.otherProject! },
        ),
      }
      for (const [label, hook] of Object.entries(hooks)) {
        await testHook(hook)
        const delivery = await receiveDelivery(hook, { event: 'push' })
        if (delivery === undefined)
          throw new NotCovered(
            `nothing was delivered ${world.inTime} after a test call of ${label}`,
          )
        expectValue(delivery, {
          name: `${label}: has its token`,
          expected: `X-Hook-Token: "${hook.token}"`,
          test: (sent) => sent.header('x-hook-token') === hook.token,
          received: tokenIn,
        })
      }
    },
  }),

  deliveryCheck('EVT-HEADER-01', {
    title: 'sends the token in the first and in every later delivery of a hook',
    root: 'HOOK-TEST-02',
    async run(world) {
      const { createHook, send, request, newName, receiveDelivery, expectValue, wait } = world
      const hook = await createHook({ push_events: true, token: `${newName()}_Later` })
      const found: Delivery[] = []
      for (let count = 0; count < comparedDeliveries; count += 1) {
        // A service may repeat a failed delivery. The last one fails, because a service may also
        // disable a hook after a failure.
        const isLast = count === comparedDeliveries - 1
        if (isLast) hook.mailbox.response = { status: 503 }
        // HOOK-TEST-03 covers whether a hook can be tested again.
        const call = await send(request.test(hook.id, 'push_events'))
        // With the last one, the call may report that the delivery failed.
        if (!isLast && !isSuccess(call)) break
        const delivery = await receiveDelivery(hook, { event: 'push' })
        if (delivery === undefined) break
        found.push(delivery)
      }
      if (found.length === comparedDeliveries) {
        await wait(world.watchMs, 'repeated deliveries')
        const repeated = await receiveDelivery(hook, { event: 'push' }, 0)
        if (repeated !== undefined) found.push(repeated)
      }
      if (found.length === 0)
        throw new NotCovered(`nothing was delivered ${world.inTime} after a test call of the hook`)
      expectValue(found, {
        name: 'have the token',
        expected: `X-Hook-Token: "${hook.token!}" in each delivery`,
        test: (all) => all.every((delivery) => delivery.header('x-hook-token') === hook.token),
        received: (all) => all.map(tokenIn).join('; '),
      })
    },
  }),

  ...Object.entries(unusualTokens).map(([kind, { ending, name, describeToken, isWhole }]) =>
    deliveryCheck('EVT-HEADER-01', {
      title: `sends ${kind} unchanged`,
      root: 'HOOK-TEST-02',
      async run(world) {
        const { createOrSkip, testHook, newName, receiveDelivery, expectValue } = world
        const token = isWhole === true ? ending : `${newName()}${ending}`
        const hook = await createOrSkip(
          { push_events: true, token },
          {},
          `the service refuses ${describeToken}`,
        )
        await testHook(hook)
        const delivery = await receiveDelivery(hook, { event: 'push' })
        if (delivery === undefined)
          throw new NotCovered(
            `nothing was delivered ${world.inTime} after a test call of a hook with ${describeToken}`,
          )
        expectValue(delivery.header('x-hook-token') ?? '', {
          name,
          expected: `the token of the hook as X-Hook-Token: ${token.length} characters that end with "${ending.slice(-40)}"`,
          test: (sent) => sent === token,
          received: (sent) =>
            `an X-Hook-Token of ${sent.length} characters: "${sent.slice(0, 80)}"`,
        })
      },
    }),
  ),
]
