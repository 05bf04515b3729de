import type { TargetSection, SectionOf } from '../target-file/section.ts'
import { greetingSection } from './greeting/target.ts'
import { hooksSection } from './hooks/target.ts'
import { imagesSection } from './images/target.ts'
import { receiverSection } from './receiver/target.ts'
import type { AnySubject } from './shared/subject.ts'
import { toolsSection } from './tools/target.ts'

/**
 * A subject (the checks of one kind of server). A run loads it only if the target file has its
 * section.
 */
export interface SubjectEntry<S extends TargetSection = TargetSection> {
  /** The section of the target file that describes the target. */
  readonly section: S
  /** The contracts whose requirements its checks cite. */
  readonly contracts: readonly string[]
  load(): Promise<AnySubject<SectionOf<S>>>
}

const entry = <S extends TargetSection>(subject: SubjectEntry<S>): SubjectEntry<S> => subject

/** All subjects, in the order in which they run. */
export const subjects = [
  entry({
    section: imagesSection,
    contracts: ['images'],
    load: async () => (await import('./images/subject.ts')).images,
  }),
  entry({
    section: hooksSection,
    contracts: ['hooks', 'events'],
    load: async () => (await import('./hooks/subject.ts')).hooks,
  }),
  entry({
    section: receiverSection,
    contracts: ['events'],
    load: async () => (await import('./receiver/subject.ts')).receiver,
  }),
  entry({
    section: greetingSection,
    contracts: ['greeting'],
    load: async () => (await import('./greeting/subject.ts')).greeting,
  }),
  entry({
    section: toolsSection,
    contracts: ['tools', 'auth'],
    load: async () => (await import('./auth/subject.ts')).tools,
  }),
]

export type AnySection = (typeof subjects)[number]['section']

/**
 * Loads the checks of a subject. The type of each entry in the list above ensures that its checks
 * accept its section.
 */
export const loadSubject = (entry: (typeof subjects)[number]): Promise<AnySubject<unknown>> =>
  entry.load()
