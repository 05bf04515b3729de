import type { IncomingMessage } from 'node:http'
import { flags, type Flag } from '../../deliveries/events.ts'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import { Refusal } from '../http/reply.ts'
import type { Context } from './call.ts'
import type { NewHook } from './store.ts'

const maxBytes = 1024 * 1024
const switches = [...flags, 'enable_ssl_verification'] as const
const known: readonly string[] = ['url', 'token', ...switches]

/** Reads the members of a body that is JSON or a form. In a form flags are texts, and become what they say. */
export async function readFields(
  request: IncomingMessage,
  contentType: string | undefined,
  { rules, choices }: Context,
): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, maxBytes, choices.invalidStatus)
  const invalid = (message: string) => new Refusal(choices.invalidStatus, message)
  const type = /^\s*([^\s;]*)/.exec(contentType ?? '')![1]!.toLowerCase()
  if (type === 'application/x-www-form-urlencoded' && choices.formBodies === 'accept') {
    const fields: Record<string, unknown> = Object.fromEntries(
      new URLSearchParams(bytes.toString()),
    )
    for (const name of switches) {
      const text = fields[name]
      // What is no flag stays the text that it is, for whoever judges the fields.
      if (typeof text === 'string') fields[name] = rules.parseFlag(text) ?? text
    }
    return fields
  }
  if (type !== '' && !/^application\/([\w.-]+\+)?json$/.test(type))
    throw invalid(
      `The body has to be application/json${choices.formBodies === 'accept' ? ' or application/x-www-form-urlencoded' : ''}`,
    )
  const json = jsonOf(bytes)
  if (json === undefined) throw invalid('The body is not JSON')
  if (!isObject(json.value)) throw invalid('The body has to be a JSON object')
  return json.value
}

/** The hook that these fields ask for. */
export function newHook(fields: Record<string, unknown>, { rules, choices }: Context): NewHook {
  const invalid = (message: string) => new Refusal(choices.invalidStatus, message)
  const { url, token } = fields
  if (url === undefined) throw invalid('url is missing')
  const odd =
    choices.unknownFields === 'refuse'
      ? Object.keys(fields).find((name) => !known.includes(name))
      : undefined
  if (odd !== undefined) throw invalid(`${odd} is no field of a hook`)
  if (!(typeof url === 'string' && choices.otherUrls === 'accept') && !rules.isUrl(url))
    throw invalid('url has to be an absolute http or https URL')
  if (token !== undefined && !rules.isToken(token))
    throw invalid('token has to be text that fits into a header')
  const flag = (name: Flag | 'enable_ssl_verification', otherwise: boolean): boolean => {
    const value = fields[name]
    if (value !== undefined && !rules.isFlag(value))
      throw invalid(`${name} has to be true or false`)
    return (value as boolean | undefined) ?? otherwise
  }
  const given = Object.fromEntries(
    flags.map((name) => [
      name,
      flag(name, name === 'push_events' ? rules.pushByDefault : choices.otherFlags),
    ]),
  ) as Record<Flag, boolean>
  return {
    url: url as string,
    token:
      token === '' && choices.emptyToken === 'none' ? undefined : (token as string | undefined),
    ...given,
    enable_ssl_verification: flag('enable_ssl_verification', rules.verifiesByDefault),
  }
}
