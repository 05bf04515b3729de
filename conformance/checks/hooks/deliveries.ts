import { events } from '../../../generated/events/contract.ts'
import { eventNames } from '../../../generated/events/names.ts'
import { expectation, NotCovered } from '../../engine/index.ts'
import { Delivery, type Mailbox } from '../../wire/index.ts'
import { deliveryCheck, watch } from './define.ts'
import { expectedOf } from './expected.ts'
import { deliveryRoots } from './roots.ts'
import { announcesJson, namesProduct } from './rules.ts'
import { arrives } from './testing.ts'
import type { HooksMessage } from './world.ts'

const needs = ['hooks.state', 'suite.receiver']
const sources = eventNames.map((event) => deliveryRoots[event])

/** One expectation of each delivery that was asked for. */
function ofEach(name: string, expected: string, test: (delivery: Delivery) => boolean | undefined, received: (delivery: Delivery) => string) {
  return (message: HooksMessage) => {
    if (!(message instanceof Delivery) || expectedOf(message) === undefined) return []
    const held = test(message)
    return held === undefined ? [] : [{ name, held, expected, received: held ? 'as expected' : received(message) }]
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A path with each percent-encoded letter in one spelling, as RFC 3986 §6.2.2 takes them to be equal. */
function normal(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (triplet) => {
    const letter = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : triplet.toUpperCase()
  })
}

/** Whether a delivery came to that address. What stands before the mailbox's own part may be rewritten on the public way there. */
function cameTo(mailbox: Mailbox, url: string): boolean {
  const split = (text: string) => [text.split('?', 1)[0]!, text.slice(text.indexOf('?') + 1)] as const
  const [path, query] = split(url)
  const [wantedPath, wantedQuery] = split(mailbox.target)
  const own = wantedPath.slice(wantedPath.indexOf('/touchstone/'))
  const pairs = (text: string) => JSON.stringify([...new URLSearchParams(text)])
  return normal(path).endsWith(normal(own)) && url.includes('?') && pairs(query) === pairs(wantedQuery)
}

export const deliveries = [
  ...eventNames.map((event) => {
    const { flag, title } = events[event]
    return deliveryCheck(deliveryRoots[event], {
      title: `delivers ${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title.toLowerCase()} where ${flag} is tested`,
      root: 'HOOK-TEST-02',
      async play({ hook, name, test, arrival, expectOf }) {
        const made = await hook({ [flag]: true, token: name() })
        // A service may show a tag that is made and one that is deleted by turns.
        for (const _ of event === 'tag_push' ? [1, 2] : [1]) {
          await test(made, flag)
          expectOf(await arrival(made, { event }), arrives)
        }
      },
    })
  }),

  watch('EVT-DELIVERY-01', {
    title: 'delivers by POST',
    needs,
    sources,
    examine: ofEach('is a POST', 'POST', ({ method }) => method === 'POST', ({ method }) => method),
  }),

  watch('EVT-DELIVERY-02', {
    title: "delivers to the hook's path and query",
    needs,
    sources,
    examine: ofEach('comes to the url', 'the path and the query of the hook', (delivery) => cameTo(expectedOf(delivery)!.hook.mailbox, delivery.url), ({ url }) => url),
  }),

  watch('EVT-DELIVERY-03', {
    title: 'delivers one JSON object',
    needs,
    sources,
    examine: ofEach('is a JSON object', 'a JSON object', ({ json }) => isObject(json), ({ summary }) => summary),
  }),

  watch('EVT-DELIVERY-04', {
    title: 'announces its payloads as JSON',
    needs,
    sources,
    examine: ofEach(
      'is announced as JSON',
      'Content-Type: application/json',
      (delivery) => announcesJson(delivery.header('content-type') ?? ''),
      (delivery) => delivery.header('content-type') ?? 'no Content-Type',
    ),
  }),

  watch('EVT-HEADER-01', {
    title: 'sends the token of the hook',
    needs,
    sources,
    examine: ofEach(
      'carries the token',
      'X-Hook-Token with the token of the hook, once',
      (delivery) => {
        const { token } = expectedOf(delivery)!.hook
        // What an empty token is, the document leaves open.
        if (token === undefined || token === '') return undefined
        const sent = delivery.headersOf('x-hook-token')
        return sent.length === 1 && sent[0] === token
      },
      (delivery) => {
        const sent = delivery.headersOf('x-hook-token')
        return sent.length === 0 ? 'no X-Hook-Token' : sent.join(', ')
      },
    ),
  }),

  deliveryCheck('EVT-HEADER-02', {
    title: 'sends no token where none is set',
    root: 'HOOK-TEST-02',
    async play({ hook, test, arrival, expectOf }) {
      const made = await hook({ push_events: true })
      await test(made)
      const delivery = await arrival(made, { event: 'push' })
      if (delivery === undefined) throw new NotCovered('nothing was delivered to a hook without a token')
      const absent = expectation<Delivery>(
        'carries no token',
        'no X-Hook-Token',
        (sent) => sent.headersOf('x-hook-token').length === 0,
        (sent) => `X-Hook-Token: ${sent.header('x-hook-token')}`,
      )
      expectOf(delivery, absent)
    },
  }),

  watch('EVT-HEADER-03', {
    title: 'names its event in a header',
    needs,
    sources,
    examine: ofEach('names the event', 'X-Hook-Event', (delivery) => (delivery.header('x-hook-event') ?? '') !== '', () => 'no X-Hook-Event'),
  }),

  watch('EVT-HEADER-04', {
    title: 'names its product and version',
    needs,
    sources,
    examine: ofEach(
      'names product and version',
      'User-Agent: <product>/<version>',
      (delivery) => namesProduct(delivery.header('user-agent') ?? ''),
      (delivery) => delivery.header('user-agent') ?? 'no User-Agent',
    ),
  }),

  ...eventNames.map((event) => {
    const { header, requirement, title, flag } = events[event]
    return watch(requirement, {
      title: `names ${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title.toLowerCase()} ${header}`,
      needs: [...needs, `hooks.triggers.${flag}`],
      sources: [deliveryRoots[event]],
      examine: (message) => {
        // A header that is missing everywhere is another row's.
        if (!(message instanceof Delivery) || expectedOf(message)?.event !== event || message.header('x-hook-event') === undefined) return []
        const received = message.headersOf('x-hook-event').join(', ')
        return [{ name: 'has the value of the event', held: received === header, expected: `X-Hook-Event: ${header}`, received }]
      },
    })
  }),
]
