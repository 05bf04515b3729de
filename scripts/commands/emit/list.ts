import { Screen } from '../../../conformance/report/screen.ts'
import { events } from '../../../generated/events/contract.ts'
import { eventNames, type EventName } from '../../../generated/events/names.ts'
import { story } from '../../../generated/events/examples.ts'
import { exampleNames } from '../../../mocks/deliveries/payload.ts'

/** Lists what can be sent, of one event or of all. */
export function formatEventList(only: EventName | undefined, json: boolean): string {
  const entries = (only === undefined ? eventNames : [only]).map((name) => ({
    event: name,
    header: events[name].header,
    flag: events[name].flag,
    actions: exampleNames(name),
  }))
  if (json)
    return `${JSON.stringify({ events: entries, story: { title: story.title, deliveries: story.deliveries.length } })}\n`
  const screen = new Screen(process.stdout)
  const { bold, dim } = screen.color
  const lines = entries.map(
    ({ event, header, flag, actions }) =>
      `${bold(event.padEnd(13))}  ${dim(`${header}, ${flag}`)}\n${' '.repeat(15)}${screen.wrap(actions.join('  '), 15)}`,
  )
  const storyLine = `${bold('--story'.padEnd(13))}  ${screen.wrap(`${story.title}: ${story.deliveries.length} related deliveries`, 15)}`
  return `${[...lines, ...(only === undefined ? [storyLine] : [])].join('\n')}\n`
}
