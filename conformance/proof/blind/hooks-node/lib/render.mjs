// A payload as JSON text.
import { on } from './registry.mjs'

export function render(payload) {
  let value = payload
  if (on('keys-in-alphabetical-order')) value = sorted(payload)
  let text = JSON.stringify(value, null, on('json-indented') ? 2 : 0)
  if (on('json-ascii-only')) {
    text = text.replace(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
  if (on('json-slashes-escaped')) text = text.replaceAll('/', '\\/')
  return on('json-ends-with-newline') ? `${text}\n` : text
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}
