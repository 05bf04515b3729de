import { encodeFields, type Body } from '../body.ts'
import type { FormMethod, PageButton, PageField, PageForm } from './page-form.ts'

/** Values of fields, by field name. */
export type FieldValues = Readonly<Record<string, string>>

/** The request that submits a form. */
export interface FormRequest {
  method: FormMethod
  url: string
  body?: Body
}

/**
 * Returns the request that submits a form with one of its buttons, or without one (the enter key).
 * Fields that are not in `typed` keep their values.
 */
export function newFormRequest(
  form: PageForm,
  button: PageButton | undefined,
  typed: FieldValues,
): FormRequest {
  const method = button?.method ?? form.method
  const action = button?.action ?? form.action
  const fields = [...form.fields.flatMap((field) => entryOf(field, typed)), ...pressed(button)]
  if (method === 'GET' && URL.canParse(action)) {
    const url = new URL(action)
    url.search = encodeFields(fields)
    return { method, url: url.href }
  }
  return { method, url: action, body: bodyOf(form.enctype, fields) }
}

function entryOf({ name, type, value, isSent }: PageField, typed: FieldValues): [string, string][] {
  const given = Object.hasOwn(typed, name) && type !== 'hidden' ? typed[name] : undefined
  if (given === undefined) return isSent ? [[name, value]] : []
  if (type === 'radio') return given === value ? [[name, value]] : []
  if (type === 'checkbox')
    return given === value || /^(on|true|yes)$/i.test(given) ? [[name, value]] : []
  return [[name, given]]
}

function pressed(button: PageButton | undefined): [string, string][] {
  if (button === undefined) return []
  const { name, value, isImage } = button
  if (isImage)
    return ['x', 'y'].map((side): [string, string] => [name === '' ? side : `${name}.${side}`, '0'])
  return name === '' ? [] : [[name, value]]
}

function bodyOf(enctype: string, fields: readonly [string, string][]): Body {
  if (enctype === 'multipart/form-data')
    return { kind: 'form', parts: fields.map(([name, value]) => ({ name, value })) }
  if (enctype === 'text/plain')
    return {
      kind: 'text',
      text: fields.map(([name, value]) => `${name}=${value}\r\n`).join(''),
      type: enctype,
    }
  return { kind: 'fields', fields }
}
