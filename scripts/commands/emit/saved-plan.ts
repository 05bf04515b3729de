import { isObject } from '../../../conformance/engine/index.ts'
import { eventOfKind } from '../../../conformance/checks/hooks/support/rules.ts'
import { findDeepJson, whyUnreadable } from '../../../conformance/target-file/user-file.ts'
import { events } from '../../../generated/events/contract.ts'
import type { EventName } from '../../../generated/events/names.ts'
import { encodeHeaderValue, headersOf, type Header } from '../../../mocks/deliveries/headers.ts'
import { UsageError } from '../../print-error.ts'
import { valuesOf } from '../deliveries/headers.ts'
import { endToEnd } from '../deliveries/hop-by-hop.ts'
import { inputsOf, type Input } from '../deliveries/inputs.ts'
import { isReplaced, listIn, savedRequest, type SavedRequest } from '../deliveries/saved.ts'
import { FileSplitter } from '../deliveries/split/index.ts'
import type { OutgoingRequest, Plan, Step } from './plan.ts'

/** A saved delivery, or a bare payload without headers. */
interface SavedStep {
  step: Step
  saved: Partial<SavedRequest> & { body?: unknown }
}

/**
 * Reads saved deliveries from files and folders, in the order of their names, and plans to send
 * them again. Throws `UsageError` if a file is not readable, or contains anything but deliveries.
 */
export async function buildSavedPlan(paths: readonly string[], times: number): Promise<Plan> {
  const found: SavedStep[] = []
  for (const input of inputsOf(paths)) found.push(...(await readSaved(input)))
  const savedOf = new Map(found.map(({ step, saved }) => [step, saved]))
  return {
    steps: found.map(({ step }) => step),
    times,
    isOrdered: true,
    request: (step, _round, token) => requestFor(step, savedOf.get(step)!, token),
  }
}

async function readSaved({ name, open }: Input): Promise<SavedStep[]> {
  const values: { value: unknown; place: string }[] = []
  const wrong = (place: string, reason: string) =>
    new UsageError(
      `${name}${place} ${reason}.\nNext: name files or folders that touchstone listen --save has written.`,
    )
  const splitter = new FileSplitter({
    value(bytes, from, to, line, index) {
      const place = index === undefined ? `:${line}` : `[${index}]`
      const text = bytes.toString('utf8', from, to)
      const tooDeep = findDeepJson(text)
      if (tooDeep !== undefined) throw wrong(place, tooDeep)
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch (error) {
        throw wrong(place, `is not JSON: ${(error as Error).message}`)
      }
      const list = Array.isArray(value) && index === undefined ? value : listIn(value)
      if (list === undefined) values.push({ value, place })
      else
        values.push(...list.map((each: unknown, at) => ({ value: each, place: `${place}[${at}]` })))
    },
    broken(why, line, index) {
      throw wrong(index === undefined ? `:${line}` : `[${index}]`, `is not JSON: ${why}`)
    },
  })
  try {
    for await (const chunk of open()) splitter.feed(chunk)
    splitter.end()
  } catch (error) {
    throw error instanceof UsageError ? error : wrong('', `cannot be read: ${whyUnreadable(error)}`)
  }
  if (values.length === 0) throw wrong('', 'does not contain a delivery')
  return values.map(({ value, place }) => {
    // The position is shown only if the file contains several deliveries.
    const step = savedStep(value, values.length === 1 ? name : name + place)
    if (step === undefined) throw wrong(place, 'is not a delivery')
    return step
  })
}

function savedStep(value: unknown, file: string): SavedStep | undefined {
  const request = savedRequest(value)
  if (request === undefined && (!isObject(value) || value['object_kind'] === undefined))
    return undefined
  const saved = request ?? { body: value }
  const event = eventIn(saved)
  const receivedAt = Date.parse(request?.receivedAt ?? '')
  const notSent = (request?.headers ?? []).filter(([, text]) => isReplaced(text))
  return {
    saved,
    step: {
      file,
      ...(event === undefined ? {} : { event }),
      ...(request?.method === undefined ? {} : { method: request.method }),
      ...(Number.isNaN(receivedAt) ? {} : { receivedAt }),
      headersNotSaved: [...new Set(notSent.map(([name]) => name))],
    },
  }
}

function eventIn({ headers = [], body }: SavedStep['saved']): EventName | undefined {
  const [named] = valuesOf(headers, 'x-hook-event')
  const known = Object.values(events).find(({ header }) => header === named)
  return (known ?? (isObject(body) ? eventOfKind(body['object_kind']) : undefined))?.name
}

function requestFor(
  { event }: Step,
  { method, headers = [], body = '', isBase64 = false }: SavedStep['saved'],
  token: string | undefined,
): OutgoingRequest {
  return {
    ...(method === undefined ? {} : { method }),
    headers:
      headers.length === 0
        ? headersFor(event, token)
        : withToken(
            // Only a body that was saved as Base64 can still have its content coding.
            endToEnd(headers).filter(([name]) => isBase64 || !/^content-encoding$/i.test(name)),
            token,
          ),
    body:
      typeof body !== 'string'
        ? JSON.stringify(body)
        : isBase64
          ? Buffer.from(body, 'base64')
          : body,
  }
}

/** Returns the headers of a payload that was saved without headers. */
function headersFor(event: EventName | undefined, token: string | undefined): Header[] {
  const headers = headersOf({ event: event ?? 'push', token })
  return event === undefined ? headers.filter(([name]) => name !== 'X-Hook-Event') : headers
}

/** Sets the token, if there is one, and removes other values that were not saved. */
function withToken(headers: readonly Header[], token: string | undefined): Header[] {
  const isToken = ([name]: Header) => name.toLowerCase() === 'x-hook-token'
  const sent: Header[] = headers.map(([name, value]) =>
    token !== undefined && isToken([name, value])
      ? [name, encodeHeaderValue(token)]
      : [name, value],
  )
  if (token !== undefined && !headers.some(isToken))
    sent.push(['X-Hook-Token', encodeHeaderValue(token)])
  return sent.filter((header) => (token !== undefined && isToken(header)) || !isReplaced(header[1]))
}
