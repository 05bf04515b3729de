import {
  paginationResult,
  toolDefinition,
  truncation,
} from '../../../../generated/tools/contract.ts'
import type { Field } from '../../../../generated/contract.ts'
import { fieldMutants, type Mutant } from '../mutants.ts'
import type { MutantFault } from '../fault.ts'
import { onDefinition, onJsonResult, type MakeToolsDeviation } from './building.ts'
import type { ToolsDeviation } from './fault.ts'

/** A part of a message, in the form that `fieldMutants` requires of messages. */
interface Part {
  readonly body: unknown
}

/**
 * Makes the mutants of the fields of a part. `make` returns the deviation that changes this part in
 * every message.
 */
const mutantsOf = (
  kind: string,
  partName: string,
  fields: readonly Field[],
  make: (mutate: (part: unknown) => unknown) => MakeToolsDeviation,
): MutantFault<ToolsDeviation>[] =>
  fields
    .flatMap((field): Mutant<Part>[] => fieldMutants<Part>(kind, partName, field))
    .map(({ name, description, violates, messageKind, mutate }) => ({
      name,
      description,
      violates,
      messageKind,
      make: make((body) => mutate({ body })?.body),
    }))

const search = 'tools/call shelf_search_books success'

/** The mutants of tool definitions, of pages and of truncated results. */
export const mutants: readonly MutantFault<ToolsDeviation>[] = [
  ...mutantsOf('tools/list success', 'one definition', toolDefinition.fields, (mutate) =>
    onDefinition((definition) =>
      definition.name === 'shelf_read_rules'
        ? (mutate(definition) as typeof definition)
        : undefined,
    ),
  ),
  ...mutantsOf(search, 'a page', paginationResult.fields, (mutate) =>
    onJsonResult((page, { tool }) =>
      tool.name === 'shelf_search_books' && 'total' in page
        ? (mutate(page) as typeof page | undefined)
        : undefined,
    ),
  ),
  ...mutantsOf(
    'tools/call shelf_report_inventory success',
    'a truncated result',
    truncation.fields.filter(({ path }) => path !== ''),
    (mutate) =>
      onJsonResult((page) =>
        page['truncated'] === true ? (mutate(page) as typeof page | undefined) : undefined,
      ),
  ),
]
