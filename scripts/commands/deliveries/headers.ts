import { announcesJson, namesProduct } from '../../../conformance/checks/hooks/support/rules.ts'
import { events, type Event } from '../../../generated/events/contract.ts'
import { finding, type DeliveryFinding } from './finding.ts'

export type Pair = readonly [name: string, value: string]

/** Whether the token of a delivery is the one that it should be; `unexpected` where nobody said which one it should be. */
export type TokenState = 'right' | 'wrong' | 'missing' | 'unexpected' | 'none expected'

/** What the X-Hook-Token of a delivery is, beside the one that is expected. */
export function tokenState(headers: readonly Pair[], expected: string | undefined): TokenState {
  const sent = valuesOf(headers, 'x-hook-token')
  if (expected === undefined) return sent.length === 0 ? 'none expected' : 'unexpected'
  if (sent.length === 0) return 'missing'
  return sent.length === 1 && text(sent[0]!) === expected ? 'right' : 'wrong'
}

export interface About {
  findings: DeliveryFinding[]
  event?: Event | undefined
}

/** Judges the headers of a delivery. Where the payload does not say of which event it is, they may. */
export function judgeHeaders(
  headers: readonly Pair[],
  { event, token }: { event: Event | undefined; token?: string | undefined },
): About {
  const findings: DeliveryFinding[] = []
  const named = valuesOf(headers, 'x-hook-event').join(', ')
  const [agent = '', type = ''] = ['user-agent', 'content-type'].map(
    (name) => valuesOf(headers, name)[0],
  )
  const told = Object.values(events).find(({ header }) => header === named)
  if (named === '')
    findings.push(
      finding('EVT-HEADER-03', 'X-Hook-Event', 'the name of the event', 'nothing there'),
    )
  else if (event !== undefined && named !== event.header) {
    // Confidential issues may go by a name of their own: no document shows it.
    const open = event.name === 'issue' && told === undefined
    findings.push(
      finding(
        open ? 'EVT-EVENT-01' : event.requirement,
        'X-Hook-Event',
        open ? `${event.header}, unless the issue is confidential` : event.header,
        named,
      ),
    )
  }
  if (!namesProduct(agent))
    findings.push(
      finding(
        'EVT-HEADER-04',
        'User-Agent',
        '<product>/<version>',
        agent === '' ? 'nothing there' : agent,
      ),
    )
  if (!announcesJson(type))
    findings.push(
      finding(
        'EVT-DELIVERY-04',
        'Content-Type',
        'application/json',
        type === '' ? 'nothing there' : type,
      ),
    )
  const state = tokenState(headers, token)
  if (state === 'wrong' || state === 'missing')
    findings.push(
      finding(
        'EVT-HEADER-01',
        'X-Hook-Token',
        'the token of the hook, once',
        state === 'missing' ? 'nothing there' : 'another one',
      ),
    )
  return { findings, event: event ?? told }
}

function valuesOf(headers: readonly Pair[], wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
}

/** Headers come byte by byte; those of a token are UTF-8. */
function text(value: string): string {
  return Buffer.from(value, 'latin1').toString()
}
