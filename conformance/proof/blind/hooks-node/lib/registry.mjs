// All switches, and the ones that are on.
import { choicesApi } from '../switches/choices-api.mjs'
import { choicesSend } from '../switches/choices-send.mjs'
import { choicesPayload } from '../switches/choices-payload.mjs'
import { apiBugs } from '../switches/bugs-api.mjs'
import { configBugs } from '../switches/bugs-config.mjs'
import { headerBugs } from '../switches/bugs-headers.mjs'
import { senderBugs } from '../switches/bugs-sender.mjs'
import { gateBugs } from '../switches/bugs-gates.mjs'
import { pushBugs } from '../switches/bugs-push.mjs'
import { tagBugs } from '../switches/bugs-tag.mjs'
import { issueBugs } from '../switches/bugs-issue.mjs'
import { mergeBugs } from '../switches/bugs-merge.mjs'
import { pipelineBugs } from '../switches/bugs-pipeline.mjs'
import { jobBugs } from '../switches/bugs-job.mjs'
import { pageBugs } from '../switches/bugs-pages.mjs'

export const all = [
  ...choicesApi,
  ...choicesSend,
  ...choicesPayload,
  ...apiBugs,
  ...configBugs,
  ...headerBugs,
  ...senderBugs,
  ...gateBugs,
  ...pushBugs,
  ...tagBugs,
  ...issueBugs,
  ...mergeBugs,
  ...pipelineBugs,
  ...jobBugs,
  ...pageBugs,
]

const known = new Set(all.map((s) => s.name))
if (known.size !== all.length) throw new Error('a switch name is used twice')

let active = []

export function activate(names) {
  active = all.filter((s) => names.includes(s.name))
}

export function on(name) {
  if (!known.has(name)) throw new Error(`no such switch: ${name}`)
  return active.some((s) => s.name === name)
}

/** Runs a stage of every active switch over a value; a stage may change it or return a new one. */
export function run(stage, value, context) {
  let out = value
  for (const s of active) {
    if (!s[stage]) continue
    const changed = s[stage](out, context)
    if (changed !== undefined) out = changed
  }
  return out
}
