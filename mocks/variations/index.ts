import type { RequirementId } from '../../generated/requirements/index.ts'
import type { Deviation } from '../faults/fault.ts'
import type { Choices } from '../stateful/images.ts'

/** One legal server: the reference with what the documents leave open chosen differently. */
export interface Configuration {
  /** Unique, in words. */
  readonly name: string
  readonly choices?: Partial<Choices>
  readonly deviation?: Deviation
}

/** Every legal level alone, then the levels in pairwise combination. */
export const configurations: readonly Configuration[] = [
  { name: 'listing drafts: shown', choices: { listsDrafts: true } },
  { name: 'extra fields: everywhere', choices: { extraFields: true } },
  { name: 'key order: reversed', choices: { keyOrder: 'reversed' } },
  { name: 'variant record: minimal', choices: { variantRecord: 'minimal' } },
  { name: 'draft when stored: absent', choices: { draftWhenStored: 'absent' } },
]

/** The open rows that have no variation, each with the reason. */
export const withoutVariations: Readonly<Partial<Record<RequirementId, string>>> = {
  'IMG-STATUS-13': 'the document gives no time after which an upload has timed out',
  'IMG-VERSION-02': 'how changes come about is a policy, no answer of a server shows it',
}
