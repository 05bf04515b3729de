import { declaresJson, hasProductVersion } from '../../../conformance/checks/hooks/support/rules.ts'
import { events, type Event } from '../../../generated/events/contract.ts'
import { newFinding, type DeliveryFinding } from './finding.ts'

export type Pair = readonly [name: string, value: string]

/**
 * How the token of a delivery compares with the expected token. `unexpected` means that a token was
 * sent but none is configured; `not checked`, that the token of a saved delivery was not saved, or
 * that there is no secret to compare it with.
 */
export const tokenStates = [
  'right',
  'wrong',
  'missing',
  'unexpected',
  'none expected',
  'not checked',
] as const
export type TokenState = (typeof tokenStates)[number]

/** Compares the X-Hook-Token of a delivery with the expected token. */
export function tokenState(headers: readonly Pair[], expected: string | undefined): TokenState {
  const sent = valuesOf(headers, 'x-hook-token')
  if (expected === undefined) return sent.length === 0 ? 'none expected' : 'unexpected'
  if (sent.length === 0) return 'missing'
  return sent.length === 1 && decodeUtf8(sent[0]!) === expected ? 'right' : 'wrong'
}

export interface JudgedHeaders {
  findings: DeliveryFinding[]
  event?: Event | undefined
}

/** Judges the headers of a delivery. If the payload does not name the event, the headers do. */
export function judgeHeaders(
  headers: readonly Pair[],
  { event, token }: { event: Event | undefined; token?: TokenState | undefined },
): JudgedHeaders {
  const findings: DeliveryFinding[] = []
  const named = valuesOf(headers, 'x-hook-event').join(', ')
  const [agent = '', type = ''] = ['user-agent', 'content-type'].map(
    (name) => valuesOf(headers, name)[0],
  )
  const eventOfHeader = Object.values(events).find(({ header }) => header === named)
  if (named === '')
    findings.push(newFinding('EVT-HEADER-03', 'X-Hook-Event', 'the name of the event', 'nothing'))
  else if (event !== undefined && named !== event.header) {
    // The event name of confidential issues may differ; no document defines that name.
    const open = event.name === 'issue' && eventOfHeader === undefined
    findings.push(
      newFinding(
        open ? 'EVT-EVENT-01' : event.requirement,
        'X-Hook-Event',
        open ? `${event.header}, unless the issue is confidential` : event.header,
        named,
      ),
    )
  }
  if (!hasProductVersion(agent))
    findings.push(
      newFinding(
        'EVT-HEADER-04',
        'User-Agent',
        '<product>/<version>',
        agent === '' ? 'nothing' : agent,
      ),
    )
  if (!declaresJson(type))
    findings.push(
      newFinding(
        'EVT-DELIVERY-04',
        'Content-Type',
        'application/json',
        type === '' ? 'nothing' : type,
      ),
    )
  if (token === 'wrong' || token === 'missing')
    findings.push(
      newFinding(
        'EVT-HEADER-01',
        'X-Hook-Token',
        'a single value: the token of the hook',
        token === 'missing' ? 'nothing' : 'another value',
      ),
    )
  return { findings, event: event ?? eventOfHeader }
}

/** Returns the values of all headers with the name `wanted`, which must be in lower case. */
export function valuesOf(headers: readonly Pair[], wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
}

/** Node decodes headers as Latin-1, but tokens are UTF-8. */
function decodeUtf8(value: string): string {
  return Buffer.from(value, 'latin1').toString()
}
