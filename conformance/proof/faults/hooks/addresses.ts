import type { HooksFault } from './fault.ts'
import { fault, onMessage, withHeader } from './building.ts'

/** Changes the URL of deliveries. */
const changeUrl = (name: string, description: string, change: (url: URL) => string): HooksFault =>
  fault(
    name,
    description,
    ['EVT-DELIVERY-02'],
    onMessage((delivery) => ({ ...delivery, url: change(new URL(delivery.url)) })),
  )

const encodeAgain = (text: string) => text.replaceAll('%', '%25')

/** Faults in which deliveries go to a URL that differs slightly from the url of the hook. */
export const addresses: readonly HooksFault[] = [
  changeUrl(
    'query-is-dropped',
    'Drops the query of a url.',
    ({ origin, pathname }) => origin + pathname,
  ),
  changeUrl(
    'query-loses-repeated-names',
    'If a query has several parameters with the same name, sends only the last one.',
    ({ origin, pathname, searchParams }) =>
      `${origin}${pathname}?${new URLSearchParams(Object.fromEntries(searchParams)).toString()}`,
  ),
  changeUrl('query-is-sorted', 'Sorts the parameters of a query by name.', (url) => {
    url.searchParams.sort()
    return url.href
  }),
  changeUrl(
    'query-is-encoded-again',
    'Percent-encodes a query that is already encoded.',
    ({ origin, pathname, search }) => origin + pathname + encodeAgain(search),
  ),
  changeUrl(
    'path-is-encoded-again',
    'Percent-encodes a path that is already encoded.',
    ({ origin, pathname, search }) => origin + encodeAgain(pathname) + search,
  ),
  changeUrl(
    'path-is-encoded-as-a-form',
    'Encodes the spaces of a path as plus signs.',
    ({ origin, pathname, search }) => origin + pathname.replaceAll('%20', '+') + search,
  ),
  changeUrl(
    'path-is-encoded-as-latin-1',
    'Encodes the path of a url in Latin-1.',
    ({ origin, pathname, search }) => origin + pathname.replaceAll('%C3%A9', '%E9') + search,
  ),
  changeUrl(
    'path-loses-its-end',
    'Drops the last segment of a path.',
    ({ origin, pathname, search }) =>
      origin + pathname.slice(0, pathname.lastIndexOf('/')) + search,
  ),
  changeUrl(
    'query-loses-encoded-plus-signs',
    'Sends an encoded plus sign of a query as a plus sign.',
    ({ origin, pathname, search }) => origin + pathname + search.replaceAll(/%2b/gi, '+'),
  ),
  changeUrl(
    'path-loses-encoded-slashes',
    'Sends an encoded slash of a path as a slash.',
    ({ origin, pathname, search }) => origin + pathname.replaceAll(/%2f/gi, '/') + search,
  ),
  changeUrl(
    'path-loses-its-last-slash',
    'Removes the slash at the end of a path.',
    ({ origin, pathname, search }) => origin + pathname.replace(/\/$/, '') + search,
  ),
  fault(
    'fragment-is-sent',
    'Sends the fragment of a URL as a part of its query.',
    ['EVT-DELIVERY-02'],
    onMessage(
      (delivery) => ({ ...delivery, url: delivery.url.replace('#', '%23') }),
      ({ url }) => url.includes('#'),
    ),
  ),
  fault(
    'letters-of-the-path-are-latin-1',
    'Encodes the letters of a path in Latin-1, and other letters as question marks.',
    ['EVT-DELIVERY-02'],
    onMessage(
      (delivery) => ({ ...delivery, url: delivery.url.replace('é', '%E9').replace('漢', '%3F') }),
      ({ url }) => url.includes('é'),
    ),
  ),
  changeUrl(
    'empty-parameters-are-dropped',
    'Drops parameters without a value from a query.',
    ({ origin, pathname, search }) =>
      `${origin}${pathname}?${search
        .slice(1)
        .split('&')
        .filter((parameter) => /=./.test(parameter))
        .join('&')}`,
  ),
  changeUrl(
    'slashes-are-merged',
    'Sends two slashes in a path as one.',
    ({ origin, pathname, search }) => origin + pathname.replace(/\/+/g, '/') + search,
  ),
  changeUrl('urls-are-cut', 'Cuts a URL after 255 characters.', ({ href }) => href.slice(0, 255)),
  fault(
    'host-has-no-port',
    'Sends the host of a URL without its port in the Host header.',
    ['EVT-DELIVERY-08'],
    onMessage((delivery) => withHeader(delivery, 'Host', new URL(delivery.url).hostname)),
  ),
  fault(
    'host-is-that-of-the-service',
    'Sends the name of the service in the Host header.',
    ['EVT-DELIVERY-08'],
    onMessage((delivery) => withHeader(delivery, 'Host', 'git.example.com')),
  ),
  changeUrl(
    'path-gets-a-slash',
    'Adds a slash to the end of a path.',
    ({ origin, pathname, search }) => `${origin}${pathname}/${search}`,
  ),
  changeUrl(
    'path-gets-a-segment',
    'Adds a segment to a path.',
    ({ origin, pathname, search }) => `${origin}${pathname}/events${search}`,
  ),
]
