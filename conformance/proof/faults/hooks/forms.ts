import { events, eventNames } from '../../../../mocks/deliveries/events.ts'
import type { HooksCall } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onFields, replaceRules } from './building.ts'
import { requirementsOf } from './triggers.ts'

const isForm = ({ headers }: HooksCall) =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true

/** Changes the token of creations whose body is a form. */
const changeToken = (
  name: string,
  description: string,
  change: (token: string) => string | undefined,
): HooksFault =>
  fault(
    name,
    description,
    ['EVT-HEADER-01'],
    onFields((fields, hit, call) => {
      const { token } = fields
      if (!isForm(call) || typeof token !== 'string') return fields
      hit()
      return { ...fields, token: change(token) }
    }),
  )

/** Sets a field of creations whose body is a form, if it has the value `from`. */
const setField = (
  name: string,
  description: string,
  violates: HooksFault['violates'],
  field: string,
  [from, to]: readonly [from: boolean | undefined, to: boolean],
): HooksFault =>
  fault(
    name,
    description,
    violates,
    onFields((fields, hit, call) => {
      if (!isForm(call) || fields[field] !== from) return fields
      hit()
      return { ...fields, [field]: to }
    }),
  )

/** Faults in which a creation whose body is a form is read in a wrong way. */
export const forms: readonly HooksFault[] = [
  changeToken('form-loses-the-token', 'Ignores the token of a form.', () => undefined),
  changeToken(
    'token-of-a-form-ends-before-an-equals-sign',
    'Cuts the token of a form before its first equals sign.',
    (token) => token.split('=')[0]!,
  ),
  changeToken(
    'token-of-a-form-is-decoded-again',
    'Decodes the percent-encoding of a token of a form twice.',
    (token) => token.replaceAll('%41', 'A'),
  ),
  changeToken(
    'spaces-of-a-form-stay-plus-signs',
    'Reads the spaces of a token of a form as plus signs.',
    (token) => token.replaceAll(' ', '+'),
  ),
  setField(
    'form-cannot-turn-verification-off',
    'Reads enable_ssl_verification of a form as true if it is false.',
    ['EVT-AUTH-02'],
    'enable_ssl_verification',
    [false, true],
  ),
  setField(
    'pushes-are-off-by-default-in-forms',
    'Uses false as the default of push_events in a form.',
    ['HOOK-CONFIG-07'],
    'push_events',
    [undefined, false],
  ),
  fault(
    'flags-of-forms-are-always-true',
    'Reads every flag of a form as true.',
    eventNames.map((event) => requirementsOf[event][1]),
    replaceRules({ parseFlag: () => true }),
  ),
  ...eventNames.map((event) => {
    const { flag } = events[event]
    return setField(
      `form-cannot-turn-${flag}-on`,
      `Ignores ${flag} in a form if it is true.`,
      [requirementsOf[event][0]],
      flag,
      [true, false],
    )
  }),
]
