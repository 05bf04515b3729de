import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Refusal } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onFields } from './building.ts'

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

/** Faults for each flag: one of its values is refused, or anything is accepted. */
export const flagFaults: readonly HooksFault[] = Object.entries(requirementsByFlag).flatMap(
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
