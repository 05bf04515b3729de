import type { RequirementId } from '../../../../generated/requirements/index.ts'
import { Refusal } from '../../../../mocks/stateful/hooks.ts'
import type { HooksFault } from './fault.ts'
import { fault, onFields } from './building.ts'

const rows: Readonly<Record<string, RequirementId>> = {
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

/** Each flag, refused in one of its values, and taken in whatever else it is given. */
export const flagFaults: readonly HooksFault[] = Object.entries(rows).flatMap(([flag, row]) => {
  const called = flag.replaceAll('_', '-')
  return [
    ...(
      [
        ['on', true],
        ['off', false],
      ] as const
    ).map(([word, value]) =>
      fault(
        `${called}-${word}-is-refused`,
        `A creation that turns ${flag} ${word} is refused.`,
        [row],
        onFields((fields, hit) => {
          if (fields[flag] !== value) return fields
          hit()
          throw new Refusal(400, `${flag} cannot be ${String(value)}`)
        }),
      ),
    ),
    fault(
      `${called}-may-be-anything`,
      `A ${flag} that is no boolean counts as true.`,
      [flag === 'enable_ssl_verification' ? 'HOOK-CONFIG-21' : 'HOOK-CONFIG-17'],
      onFields((fields, hit) => {
        if (fields[flag] === undefined || typeof fields[flag] === 'boolean') return fields
        hit()
        return { ...fields, [flag]: true }
      }),
    ),
  ]
})
