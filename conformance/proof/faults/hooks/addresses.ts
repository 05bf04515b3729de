import type { HooksFault } from './fault.ts'
import { fault, onMessage } from './building.ts'

/** Sends to an address that was made of the right one. */
const sentTo = (name: string, description: string, change: (url: URL) => string): HooksFault =>
  fault(
    name,
    description,
    ['EVT-DELIVERY-02'],
    onMessage((delivery) => ({ ...delivery, url: change(new URL(delivery.url)) })),
  )

const encodedAgain = (text: string) => text.replaceAll('%', '%25')

/** Deliveries that go to almost the right address. */
export const addresses: readonly HooksFault[] = [
  sentTo(
    'query-is-dropped',
    'Leaves the query of a url out.',
    ({ origin, pathname }) => origin + pathname,
  ),
  sentTo(
    'query-loses-repeated-names',
    'Of several parameters of one name keeps the last only.',
    ({ origin, pathname, searchParams }) =>
      `${origin}${pathname}?${new URLSearchParams(Object.fromEntries(searchParams)).toString()}`,
  ),
  sentTo('query-is-sorted', 'Sorts the parameters of a query by name.', (url) => {
    url.searchParams.sort()
    return url.href
  }),
  sentTo(
    'query-is-encoded-again',
    'Encodes a query that is encoded already.',
    ({ origin, pathname, search }) => origin + pathname + encodedAgain(search),
  ),
  sentTo(
    'path-is-encoded-again',
    'Encodes a path that is encoded already.',
    ({ origin, pathname, search }) => origin + encodedAgain(pathname) + search,
  ),
  sentTo(
    'path-is-encoded-as-a-form',
    'Writes the spaces of a path as plus signs.',
    ({ origin, pathname, search }) => origin + pathname.replaceAll('%20', '+') + search,
  ),
  sentTo(
    'path-is-encoded-as-latin-1',
    'Encodes the path of a url in Latin-1.',
    ({ origin, pathname, search }) => origin + pathname.replaceAll('%C3%A9', '%E9') + search,
  ),
  sentTo(
    'path-loses-its-end',
    'Leaves the last segment of a path out.',
    ({ origin, pathname, search }) =>
      origin + pathname.slice(0, pathname.lastIndexOf('/')) + search,
  ),
  sentTo(
    'path-gets-a-slash',
    'Adds a slash at the end of a path.',
    ({ origin, pathname, search }) => `${origin}${pathname}/${search}`,
  ),
  sentTo(
    'path-gets-a-segment',
    'Adds a segment of its own to a path.',
    ({ origin, pathname, search }) => `${origin}${pathname}/events${search}`,
  ),
]
