import type { BlindRecord, BlindRecords } from './blind-record.ts'
import { blindServers } from './blind-servers/index.ts'

/** `3 of 4 (75 %)` */
export const formatShare = (part: number, whole: number) =>
  `${part} of ${whole} (${whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10} %)`

/** Renders the section of PROOF.md about the blind implementations. */
export const renderBlind = (records: BlindRecords) => `## Blind implementations

Servers by authors who read only the document and the standards that it names, with a switch for each
behaviour that they consider allowed, and for each violation that they thought of. The columns
"first" contain the figures of the first run, before anything was changed because of its results. An
allowed behaviour counts as failed if a check fails, warns or is blocked.

| contract | allowed behaviours | failed, first | failed, now | violations | found, first | found, now |
|---|---|---|---|---|---|---|
${Object.entries(records)
  .map(([name, record]) => line(name, record))
  .join('\n')}

Allowed behaviours that fail now: ${listFailed(records) || 'none'}.

Not counted, because the implementation does not meet the expectation with any switch: ${listUnmet()}.
`

const line = (name: string, { first, caught, failed }: BlindRecord) => {
  const { choices, violations } = first
  const cells = [
    name,
    choices,
    first.failed,
    Object.keys(failed).length,
    violations,
    formatShare(first.caught, violations),
    formatShare(Object.keys(caught).length, violations),
  ]
  return `| ${cells.join(' | ')} |`
}

const listFailed = (records: BlindRecords) =>
  Object.entries(records)
    .flatMap(([name, { failed }]) =>
      Object.entries(failed).map(([choice, ids]) => `${name} \`${choice}\` (${ids.join(', ')})`),
    )
    .join('; ')

const listUnmet = () =>
  blindServers
    .flatMap(({ name, unmet = {} }) =>
      Object.entries(unmet).map(([key, does]) => `${key.split(' ')[0]} (${name} ${does})`),
    )
    .join('; ')
