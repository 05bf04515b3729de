import { createHash } from 'node:crypto'
import { eventNames } from '../../../../mocks/deliveries/events.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import {
  fault,
  headerOf,
  onFields,
  onMessage,
  replaceRules,
  withHeader,
  withoutHeader,
} from './building.ts'

const hasToken = ({ hook }: OutgoingDelivery) => hook.token !== undefined && hook.token !== ''
const hasNoToken = ({ hook }: OutgoingDelivery) => hook.token === undefined

/** Changes the token of deliveries. */
const changeToken = (
  name: string,
  description: string,
  change: (token: string) => string,
): HooksFault =>
  fault(
    name,
    description,
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) => withHeader(delivery, 'X-Hook-Token', change(delivery.hook.token!)),
      hasToken,
    ),
  )

/** Sends X-Hook-Token for hooks without a token. */
const addToken = (
  name: string,
  description: string,
  token: (delivery: OutgoingDelivery) => string,
): HooksFault =>
  fault(
    name,
    description,
    ['EVT-HEADER-02'],
    onMessage((delivery) => withHeader(delivery, 'X-Hook-Token', token(delivery)), hasNoToken),
  )

const changeUserAgent = (name: string, description: string, value: string): HooksFault =>
  fault(
    name,
    description,
    ['EVT-HEADER-04'],
    onMessage((delivery) => withHeader(delivery, 'User-Agent', value)),
  )

export const headers: readonly HooksFault[] = [
  fault(
    'event-is-that-of-the-delivery-before',
    'Sends the X-Hook-Event of the previous delivery to the same hook.',
    ['EVT-HEADER-03'],
    (hit) => {
      const previous = new Map<unknown, string>()
      return {
        beforeDelivery: (delivery) => {
          const { id } = delivery.hook
          const [header, earlier] = [headerOf(delivery, 'X-Hook-Event'), previous.get(id)]
          if (header !== undefined) previous.set(id, header)
          if (earlier === undefined || earlier === header) return delivery
          hit()
          return withHeader(delivery, 'X-Hook-Event', earlier)
        },
      }
    },
  ),
  fault(
    'token-is-not-sent',
    'Sends no X-Hook-Token for a hook with a token.',
    ['EVT-HEADER-01'],
    replaceRules({ secretOf: () => undefined }),
  ),
  ...eventNames.map((event) =>
    fault(
      `${event.replace('_', '-')}-carries-no-token`,
      `Sends no X-Hook-Token with deliveries of ${event}.`,
      ['EVT-HEADER-01'],
      onMessage(
        (delivery) => withoutHeader(delivery, 'X-Hook-Token'),
        (delivery) => delivery.event === event && hasToken(delivery),
      ),
    ),
  ),
  changeToken('token-is-cut', 'Sends only the first eight characters of a token.', (token) =>
    token.slice(0, 8),
  ),
  changeToken('token-is-in-capitals', 'Sends a token in upper case.', (token) =>
    token.toUpperCase(),
  ),
  changeToken('token-is-in-small-letters', 'Sends a token in lower case.', (token) =>
    token.toLowerCase(),
  ),
  changeToken('token-is-encoded', 'Sends a token in URL encoding.', encodeURIComponent),
  changeToken(
    'token-loses-punctuation',
    'Removes all characters except letters and digits from a token.',
    (token) => token.replace(/[^a-z0-9]/gi, ''),
  ),
  changeToken(
    'token-is-hashed',
    'Sends the SHA-256 hash of a token instead of the token.',
    (token) => createHash('sha256').update(token).digest('hex'),
  ),
  changeToken(
    'token-is-a-bearer',
    'Sends a token with the prefix Bearer.',
    (token) => `Bearer ${token}`,
  ),
  changeToken(
    'token-is-a-constant',
    'Sends a constant instead of the token.',
    () => 'a-constant-token',
  ),
  changeToken('token-is-percent-decoded', 'Decodes percent-encoding in a token.', (token) =>
    token.replace(/%[0-9a-f]{2}/gi, decodeURIComponent),
  ),
  changeToken(
    'token-ends-at-a-comma',
    'Sends a token only up to its first comma.',
    (token) => token.split(',')[0]!,
  ),
  changeToken(
    'token-is-escaped-for-html',
    'Escapes the ampersands and angle brackets of a token for HTML.',
    (token) => token.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ),
  fault(
    'token-is-lost-after-a-failure',
    'Sends no X-Hook-Token after the receiver of a hook has failed.',
    ['EVT-HEADER-01'],
    (hit) => {
      const failed = new Set<unknown>()
      return {
        beforeDelivery: (delivery) => {
          const { hook } = delivery
          if (hook.failures > 0) failed.add(hook.id)
          if (!failed.has(hook.id) || !hasToken(delivery)) return delivery
          hit()
          return withoutHeader(delivery, 'X-Hook-Token')
        },
      }
    },
  ),
  fault(
    'token-is-in-another-header',
    'Sends the token in Authorization instead of X-Hook-Token.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) =>
        withHeader(withoutHeader(delivery, 'X-Hook-Token'), 'Authorization', delivery.hook.token!),
      hasToken,
    ),
  ),
  fault(
    'token-is-sent-twice',
    'Sends X-Hook-Token twice, once with an older token.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) => ({
        ...delivery,
        headers: [...delivery.headers, ['X-Hook-Token', 'an-older-token']],
      }),
      hasToken,
    ),
  ),

  addToken(
    'no-token-is-an-empty-one',
    'Sends an empty X-Hook-Token if the hook has no token.',
    () => '',
  ),
  addToken(
    'no-token-is-null',
    'Sends the word null as the token if the hook has no token.',
    () => 'null',
  ),
  addToken(
    'no-token-is-the-id',
    'Sends the id of the hook as the token if the hook has no token.',
    ({ hook }) => String(hook.id),
  ),
  fault(
    'null-counts-as-a-token',
    'Creates a hook from a token that is null, and sends the word null as its token.',
    ['EVT-HEADER-02'],
    onFields((fields, hit) => {
      if (fields['token'] !== null) return fields
      hit()
      return { ...fields, token: 'null' }
    }),
  ),

  fault(
    'event-is-not-named',
    'Sends no X-Hook-Event.',
    ['EVT-HEADER-03'],
    onMessage((delivery) => withoutHeader(delivery, 'X-Hook-Event')),
  ),
  fault(
    'event-is-named-by-nothing',
    'Sends an empty X-Hook-Event.',
    ['EVT-HEADER-03'],
    onMessage((delivery) => withHeader(delivery, 'X-Hook-Event', '')),
  ),
  fault(
    'event-is-in-x-event',
    'Sends the event in X-Event instead of X-Hook-Event.',
    ['EVT-HEADER-03'],
    onMessage((delivery) =>
      withHeader(
        withoutHeader(delivery, 'X-Hook-Event'),
        'X-Event',
        headerOf(delivery, 'X-Hook-Event') ?? '',
      ),
    ),
  ),

  changeUserAgent('product-has-no-version', 'Sends a User-Agent without a version.', 'Touchstone'),
  changeUserAgent('version-is-empty', 'Sends a User-Agent with an empty version.', 'Touchstone/'),
  changeUserAgent('product-is-empty', 'Sends a User-Agent with an empty product.', '/1.0'),
  changeUserAgent(
    'product-and-version-are-separated',
    'Sends a User-Agent with a space between product and version.',
    'Touchstone 1.0',
  ),
]
