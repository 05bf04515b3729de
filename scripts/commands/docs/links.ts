import {
  requirements,
  type Contract,
  type RequirementId,
} from '../../../generated/requirements/index.ts'
import { markup, type Child, type Markup } from '../../../conformance/report/html/markup.ts'

export const indexFile = 'index.html'
export const fileOf = (contract: Contract): string => `${contract}.html`

/** Makes links to requirements. Those of contracts without a page are not links. */
export interface Links {
  /** A link to a requirement. */
  requirement(id: string): Markup
  /**
   * A sentence of a contract: identifiers between backticks become code, and ids of requirements
   * become links.
   *
   * @example
   *   links.prose('`page` is covered by IMG-LIST-04')
   */
  prose(text: string): Markup
}

const isRequirement = (id: string): id is RequirementId => Object.hasOwn(requirements, id)

export function newLinks(contracts: readonly Contract[]): Links {
  const requirement = (id: string): Markup =>
    isRequirement(id) && contracts.includes(requirements[id].contract)
      ? markup`<a class="id" href="${fileOf(requirements[id].contract)}#${id}">${id}</a>`
      : markup`<span class="id">${id}</span>`
  const withLinks = (text: string): Child =>
    text
      .split(/\b([A-Z]+-[A-Z]+-\d\d)\b/)
      .map((part, index) => (index % 2 === 1 && isRequirement(part) ? requirement(part) : part))
  return {
    requirement,
    prose: (text) =>
      markup`${text
        .split(/`([^`]+)`/)
        .map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : withLinks(part)))}`,
  }
}
