import { isObject } from '../../../engine/index.ts'
import { events } from '../../../../generated/events/contract.ts'
import { eventNames } from '../../../../generated/events/names.ts'
import type { Mailbox } from '../../../wire/index.ts'
import { deliveryCheck, watch } from '../support/define.ts'
import { deliveryNeeds, examineEach, deliverySources } from '../support/each-delivery.ts'
import { deliveryRoots } from '../support/roots.ts'
import { announcesJson } from '../support/rules.ts'
import { arrives, expectedOf } from '../support/expectations.ts'

/** A path with each percent-encoded letter in one spelling, as RFC 3986 §6.2.2 takes them to be equal. */
function normalizePath(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (triplet) => {
    const letter = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : triplet.toUpperCase()
  })
}

/** Whether a delivery came to that address. What stands before the mailbox's own part may be rewritten on the public way there. */
function arrivedAt(mailbox: Mailbox, url: string): boolean {
  const split = (text: string) =>
    [text.split('?', 1)[0]!, text.slice(text.indexOf('?') + 1)] as const
  const [path, query] = split(url)
  const [wantedPath, wantedQuery] = split(mailbox.target)
  const own = wantedPath.slice(wantedPath.indexOf('/touchstone/'))
  const pairs = (text: string) => JSON.stringify([...new URLSearchParams(text)])
  return (
    normalizePath(path).endsWith(normalizePath(own)) &&
    url.includes('?') &&
    pairs(query) === pairs(wantedQuery)
  )
}

export const deliveries = [
  ...eventNames.map((event) => {
    const { flag, title } = events[event]
    return deliveryCheck(deliveryRoots[event], {
      title: `delivers ${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title.toLowerCase()} where ${flag} is tested`,
      root: 'HOOK-TEST-02',
      async run({
        createHook,
        newName,
        send,
        expectSuccess,
        request,
        receiveDelivery,
        expectOf,
        isSuccess,
      }) {
        // Letters of both cases, and what Base64 has beside them: whoever rewrites a token shows it.
        const hook = await createHook({ [flag]: true, token: `${newName()}+/Aa==` })
        const test = request.test(hook.id, flag)
        // The target file names the event: the service takes it.
        await expectSuccess(test)
        expectOf(await receiveDelivery(hook, { event }), arrives)
        // It may show a tag that is made and one that is deleted by turns. Whether a hook can be tested again is another row's.
        if (event === 'tag_push' && isSuccess(await send(test)))
          await receiveDelivery(hook, { event })
      },
    })
  }),

  watch('EVT-DELIVERY-01', {
    title: 'delivers by POST',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'is a POST',
      'POST',
      ({ method }) => method === 'POST',
      ({ method }) => method,
    ),
  }),

  watch('EVT-DELIVERY-02', {
    title: "delivers to the hook's path and query",
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'comes to the url',
      'the path and the query of the hook',
      (delivery) => arrivedAt(expectedOf(delivery)!.hook.mailbox, delivery.url),
      ({ url }) => url,
    ),
  }),

  watch('EVT-DELIVERY-03', {
    title: 'delivers one JSON object',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'is a JSON object',
      'a JSON object',
      ({ json }) => isObject(json),
      ({ summary }) => summary,
    ),
  }),

  watch('EVT-DELIVERY-04', {
    title: 'announces its payloads as JSON',
    needs: deliveryNeeds,
    sources: deliverySources,
    examine: examineEach(
      'is announced as JSON',
      'Content-Type: application/json',
      (delivery) => announcesJson(delivery.header('content-type') ?? ''),
      (delivery) => delivery.header('content-type') ?? 'no Content-Type',
    ),
  }),
]
