import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Refusal } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, isObject, onFields } from './building.ts'

const requirementsByFlag: Readonly<Record<string, RequirementId>> = {
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

/** Accepts some wrong values of enable_ssl_verification, and treats them as true. */
const convertValues = (
  name: string,
  description: string,
  isConverted: (value: unknown) => boolean,
): HooksFault =>
  fault(
    name,
    description,
    ['HOOK-CONFIG-21'],
    onFields((fields, hit) => {
      if (!isConverted(fields['enable_ssl_verification'])) return fields
      hit()
      return { ...fields, enable_ssl_verification: true }
    }),
  )

/** Faults for each flag: true is refused, false is refused, or every value is accepted. */
const faultsOfEachFlag: readonly HooksFault[] = Object.entries(requirementsByFlag).flatMap(
  ([flag, requirement]) => {
    const flagName = flag.replaceAll('_', '-')
    return [
      ...(
        [
          ['on', true],
          ['off', false],
        ] as const
      ).map(([state, value]) =>
        fault(
          `${flagName}-${state}-is-refused`,
          `Refuses a creation that turns ${flag} ${state}.`,
          [requirement],
          onFields((fields, hit) => {
            if (fields[flag] !== value) return fields
            hit()
            throw new Refusal(400, `${flag} cannot be ${String(value)}`)
          }),
        ),
      ),
      fault(
        `${flagName}-may-be-anything`,
        `Accepts a ${flag} that is not a boolean, and treats it as true.`,
        [flag === 'enable_ssl_verification' ? 'HOOK-CONFIG-21' : 'HOOK-CONFIG-17'],
        onFields((fields, hit) => {
          if (fields[flag] === undefined || typeof fields[flag] === 'boolean') return fields
          hit()
          return { ...fields, [flag]: true }
        }),
      ),
    ]
  },
)

export const flagFaults: readonly HooksFault[] = [
  ...faultsOfEachFlag,
  convertValues(
    'object-counts-as-verification',
    'Accepts an object as enable_ssl_verification, and treats it as true.',
    isObject,
  ),
  convertValues(
    'list-counts-as-verification',
    'Accepts an array that is not empty as enable_ssl_verification, and treats it as true.',
    (value) => Array.isArray(value) && value.length > 0,
  ),
  convertValues(
    'number-counts-as-verification',
    'Accepts a number other than 0 as enable_ssl_verification, and treats it as true.',
    (value) => typeof value === 'number' && value !== 0,
  ),
]
