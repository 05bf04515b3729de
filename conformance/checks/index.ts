import type { GreetingTarget } from './greeting/subject.ts'
import type { HooksTarget } from './hooks/subject.ts'
import type { ImagesTarget } from './images/subject.ts'
import type { ReceiverTarget } from './receiver/subject.ts'
import type { AnySubject } from './shared/subject.ts'
import type { ToolsTarget } from './tools/subject.ts'

type Judge = AnySubject<ImagesTarget & HooksTarget & ReceiverTarget & GreetingTarget & ToolsTarget>

/** A subject that is not loaded yet: a run loads only the sections that its target has. */
export interface SubjectEntry {
  /** The section of the target file that names what is judged. */
  readonly section: Judge['section']
  /** The contracts whose requirements its checks cite. */
  readonly contracts: readonly string[]
  load(): Promise<Judge>
}

/** Everything that can be judged, in the order in which it is. */
export const subjects: readonly SubjectEntry[] = [
  {
    section: 'images',
    contracts: ['images'],
    load: async () => (await import('./images/subject.ts')).images,
  },
  {
    section: 'hooks',
    contracts: ['hooks', 'events'],
    load: async () => (await import('./hooks/subject.ts')).hooks,
  },
  {
    section: 'receiver',
    contracts: ['events'],
    load: async () => (await import('./receiver/subject.ts')).receiver,
  },
  {
    section: 'greeting',
    contracts: ['greeting'],
    load: async () => (await import('./greeting/subject.ts')).greeting,
  },
  {
    section: 'tools',
    contracts: ['tools', 'auth'],
    load: async () => (await import('./tools/subject.ts')).tools,
  },
]
