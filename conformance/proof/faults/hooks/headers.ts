import { createHash } from 'node:crypto'
import { eventNames } from '../../../../mocks/deliveries/events.ts'
import type { OutgoingDelivery } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, headerOf, onMessage, replaceRules, withHeader, withoutHeader } from './building.ts'

const hasToken = ({ hook }: OutgoingDelivery) => hook.token !== undefined && hook.token !== ''
const hasNone = ({ hook }: OutgoingDelivery) => hook.token === undefined

/** Sends another text for the token of a hook. */
const sendsToken = (
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

/** Sends a token though none is set. */
const inventsToken = (
  name: string,
  description: string,
  token: (delivery: OutgoingDelivery) => string,
): HooksFault =>
  fault(
    name,
    description,
    ['EVT-HEADER-02'],
    onMessage((delivery) => withHeader(delivery, 'X-Hook-Token', token(delivery)), hasNone),
  )

const sendsAgent = (name: string, description: string, value: string): HooksFault =>
  fault(
    name,
    description,
    ['EVT-HEADER-04'],
    onMessage((delivery) => withHeader(delivery, 'User-Agent', value)),
  )

export const headers: readonly HooksFault[] = [
  fault(
    'token-is-not-sent',
    'Sends no X-Hook-Token, though the hook has a token.',
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
  sendsToken('token-is-cut', 'Sends the first eight characters of a token.', (token) =>
    token.slice(0, 8),
  ),
  sendsToken('token-is-in-capitals', 'Sends a token in capitals.', (token) => token.toUpperCase()),
  sendsToken('token-is-in-small-letters', 'Sends a token in small letters.', (token) =>
    token.toLowerCase(),
  ),
  sendsToken('token-is-encoded', 'Sends a token as it would stand in a URL.', encodeURIComponent),
  sendsToken(
    'token-loses-what-is-no-letter',
    'Leaves out of a token what is neither a letter nor a digit.',
    (token) => token.replace(/[^a-z0-9]/gi, ''),
  ),
  sendsToken('token-is-hashed', 'Sends the hash of a token.', (token) =>
    createHash('sha256').update(token).digest('hex'),
  ),
  sendsToken(
    'token-is-a-bearer',
    'Puts the word Bearer before a token.',
    (token) => `Bearer ${token}`,
  ),
  sendsToken(
    'token-is-of-another-hook',
    'Sends the token of another hook.',
    () => 'the-token-of-somebody-else',
  ),
  fault(
    'token-is-in-another-header',
    'Sends the token in Authorization.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) =>
        withHeader(withoutHeader(delivery, 'X-Hook-Token'), 'Authorization', delivery.hook.token!),
      hasToken,
    ),
  ),
  fault(
    'token-is-sent-twice',
    'Sends X-Hook-Token twice, with an older token too.',
    ['EVT-HEADER-01'],
    onMessage(
      (delivery) => ({
        ...delivery,
        headers: [...delivery.headers, ['X-Hook-Token', 'an-older-token']],
      }),
      hasToken,
    ),
  ),

  inventsToken(
    'no-token-is-an-empty-one',
    'Sends an empty X-Hook-Token where no token is set.',
    () => '',
  ),
  inventsToken('no-token-is-null', 'Sends the word null where no token is set.', () => 'null'),
  inventsToken(
    'no-token-is-the-id',
    "Sends a hook's id for a token where none is set.",
    ({ hook }) => String(hook.id),
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
    'event-has-a-header-of-its-own',
    'Names the event in X-Event.',
    ['EVT-HEADER-03'],
    onMessage((delivery) =>
      withHeader(
        withoutHeader(delivery, 'X-Hook-Event'),
        'X-Event',
        headerOf(delivery, 'X-Hook-Event') ?? '',
      ),
    ),
  ),

  sendsAgent(
    'product-has-no-version',
    'Names its product in User-Agent without a version.',
    'Touchstone',
  ),
  sendsAgent('version-is-empty', 'Writes nothing behind the slash of User-Agent.', 'Touchstone/'),
  sendsAgent('product-is-empty', 'Writes nothing before the slash of User-Agent.', '/1.0'),
  sendsAgent(
    'product-and-version-stand-apart',
    'Writes product and version with a space between them.',
    'Touchstone 1.0',
  ),
]
