import { greeting, type GreetingTarget } from './greeting/subject.ts'
import { hooks, type HooksTarget } from './hooks/subject.ts'
import { images, type ImagesTarget } from './images/subject.ts'
import { receiver, type ReceiverTarget } from './receiver/subject.ts'
import type { AnySubject } from './shared/subject.ts'
import { tools, type ToolsTarget } from './tools/subject.ts'

/** Everything that can be judged, in the order in which it is. */
export const subjects: readonly AnySubject<
  ImagesTarget & HooksTarget & ReceiverTarget & GreetingTarget & ToolsTarget
>[] = [images, hooks, receiver, greeting, tools]
