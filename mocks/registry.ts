import type { Mock } from './registry/entry.ts'
import { greeting } from './registry/greeting.ts'
import { hooks } from './registry/hooks.ts'
import { identity } from './registry/identity.ts'
import { images } from './registry/images.ts'
import { receiver } from './registry/receiver.ts'
import { tools } from './registry/tools.ts'

export type { InitialData, InitialImage } from './registry/initial-data.ts'
export { defaultHostname } from './serving/address.ts'
export type { RequestEntry } from './serving/log.ts'
export {
  authPatterns,
  type AuthPattern,
  type BundledOptions,
  type Example,
  type MockKind,
  type Running,
  type StartedMocks,
  type StartOptions,
} from './registry/entry.ts'

/** Every mock, in the order in which the command lists them. */
export const mocks = { images, hooks, receiver, greeting, tools, identity } satisfies Record<
  string,
  Mock
>

export type MockName = keyof typeof mocks

/** Returns the mock with this name, which must be a key of `mocks`. */
export const mockOf = (name: string): Mock => (mocks as Readonly<Record<string, Mock>>)[name]!
