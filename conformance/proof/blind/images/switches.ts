// All switches of the server.
import { choicesData } from './choices-data.ts'
import { choicesHttp } from './choices-http.ts'
import { doorViolations } from './doors.ts'
import type { Switch } from './places.ts'
import { violationsEnvelope } from './violations-envelope.ts'
import { violationsImages } from './violations-images.ts'
import { violationsRest } from './violations-rest.ts'

export type { Switch } from './places.ts'

export const switches: readonly Switch[] = [
  ...choicesHttp,
  ...choicesData,
  ...doorViolations,
  ...violationsEnvelope,
  ...violationsImages,
  ...violationsRest,
]

const names = new Set<string>()
for (const one of switches) {
  if (names.has(one.name)) throw new Error(`two switches are named ${one.name}`)
  names.add(one.name)
}

export const isSwitch = (name: string): boolean => names.has(name)
