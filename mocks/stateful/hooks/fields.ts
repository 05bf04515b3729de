import type { IncomingMessage } from 'node:http'
import { flags, type Flag } from '../../deliveries/events.ts'
import { isObject, jsonOf, readBody } from '../http/body.ts'
import type { HooksContext } from './call.ts'
import { HooksRefusal, type HooksReason } from './refusal.ts'
import type { NewHook } from './store.ts'

const maxBytes = 1024 * 1024
const booleanFields = [...flags, 'enable_ssl_verification'] as const
/** The fields with which the API creates a hook. */
export const knownFields: readonly string[] = ['url', 'token', ...booleanFields]

/** Reads the fields of a body that is JSON or a form. Flags in a form become booleans. */
export async function readFields(
  request: IncomingMessage,
  contentType: string | undefined,
  { rules, choices }: HooksContext,
): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, maxBytes, choices.invalidStatus)
  const invalid = (reason: HooksReason, message: string) =>
    new HooksRefusal(reason, choices.invalidStatus, message)
  const type = /^\s*([^\s;]*)/.exec(contentType ?? '')![1]!.toLowerCase()
  if (type === 'application/x-www-form-urlencoded' && choices.formBodies !== 'refuse') {
    const fields: Record<string, unknown> = Object.fromEntries(
      new URLSearchParams(bytes.toString()),
    )
    for (const name of booleanFields) {
      const text = fields[name]
      // An invalid flag stays a string, which the validation refuses.
      if (typeof text === 'string') fields[name] = rules.parseFlag(text) ?? text
    }
    return fields
  }
  if (choices.formBodies === 'only')
    throw invalid('body-type-unsupported', 'The body must be application/x-www-form-urlencoded')
  if (type !== '' && !/^application\/([\w.-]+\+)?json$/.test(type))
    throw invalid(
      'body-type-unsupported',
      `The body must be application/json${choices.formBodies === 'accept' ? ' or application/x-www-form-urlencoded' : ''}`,
    )
  const json = jsonOf(bytes)
  if (json === undefined) throw invalid('body-not-json', 'The body is not JSON')
  if (!isObject(json.value)) throw invalid('body-not-object', 'The body must be a JSON object')
  return json.value
}

/** Validates the fields of a new hook, and adds the defaults of missing fields. */
export function newHook(
  fields: Record<string, unknown>,
  { rules, choices }: HooksContext,
): NewHook {
  const invalid = (reason: HooksReason, message: string) =>
    new HooksRefusal(reason, choices.invalidStatus, message)
  const { url, token } = fields
  if (url === undefined) throw invalid('url-missing', 'url is missing')
  const unknownField =
    choices.unknownFields === 'refuse'
      ? Object.keys(fields).find((name) => !knownFields.includes(name))
      : undefined
  if (unknownField !== undefined)
    throw invalid('field-unknown', `${unknownField} is not a field of a hook`)
  if (!(typeof url === 'string' && choices.invalidUrls === 'accept') && !rules.isUrl(url))
    throw invalid('url-malformed', 'url must be an absolute http or https URL')
  if (token !== undefined && !rules.isToken(token))
    throw invalid('token-malformed', 'token must be a string that a header can contain')
  const flag = (name: Flag | 'enable_ssl_verification', defaultValue: boolean): boolean => {
    const value = fields[name]
    if (value !== undefined && !rules.isFlag(value))
      throw invalid('flag-not-boolean', `${name} must be true or false`)
    return (value as boolean | undefined) ?? defaultValue
  }
  const flagValues = Object.fromEntries(
    flags.map((name) => [
      name,
      flag(name, name === 'push_events' ? rules.pushByDefault : choices.flagDefault),
    ]),
  ) as Record<Flag, boolean>
  return {
    url: url as string,
    token:
      token === '' && choices.emptyToken === 'none' ? undefined : (token as string | undefined),
    ...flagValues,
    enable_ssl_verification: flag('enable_ssl_verification', rules.verifiesByDefault),
  }
}
