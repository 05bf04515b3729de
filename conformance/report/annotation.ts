import { showHidden } from '../engine/hidden-characters.ts'

/**
 * Returns a command of GitHub Actions that shows an annotation on the page of the workflow.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export const annotationOf = (command: 'error' | 'warning', title: string, text: string): string =>
  `::${command} title=${escapeProperty(title)}::${escapeData(text)}`

const escapeData = (text: string): string =>
  showHidden(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
