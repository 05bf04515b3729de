// What a tool throws when it fails. The text is for the caller; nothing else leaves the server.
import { on } from './switches.mjs'

export class ToolFailure extends Error {
  constructor(text) {
    super(text)
    this.name = 'ToolFailure'
  }
}

export function unexpected(type, detail) {
  if (on('unexpected-without-type')) return new ToolFailure('Unexpected error occurred.')
  if (on('unexpected-always-called-error'))
    return new ToolFailure('Unexpected error occurred: Error')
  return new ToolFailure(
    `Unexpected error occurred: ${type}${on('unexpected-with-detail') ? ` (${detail})` : ''}`,
  )
}

export function failureText(message) {
  if (on('error-prefix-lower-case')) return `error: ${message}`
  if (on('error-prefix-missing')) return message
  if (on('error-prefix-after-blank')) return `\nError: ${message}`
  return `Error: ${message}`
}
