import { isObject } from '../../../engine/index.ts'
import { percentEncode, type McpExchange } from '../../../wire/index.ts'
import type { Session } from './client-session.ts'
import { listTemplates } from './list-pages.ts'
import { templateOf } from './resources.ts'
import { parametersOf } from './uris.ts'

/** An item of a search: its identifier, and a name by which its text is recognized. */
export interface NamedItem {
  readonly id: string
  readonly title: string
}

/** A URI template, and the responses to reading two items with it. */
export interface TemplateReads {
  readonly template: string
  readonly items: readonly [NamedItem, NamedItem]
  readonly reads: readonly [McpExchange, McpExchange]
}

/** The text of all contents of a resource. */
export const textOfResource = ({ result }: McpExchange): string => {
  const contents = result?.['contents']
  return (Array.isArray(contents) ? (contents as unknown[]) : [])
    .flatMap((content) =>
      isObject(content) && typeof content['text'] === 'string' ? [content['text']] : [],
    )
    .join('\n')
}

/** Returns two items whose names do not contain each other; undefined if there is no such pair. */
export function unlikeItems(
  items: readonly unknown[],
  id: string,
  title: string,
): [NamedItem, NamedItem] | undefined {
  const named = items.flatMap((item): NamedItem[] => {
    const [key, name] = isObject(item) ? [item[id], item[title]] : []
    return (typeof key === 'string' || typeof key === 'number') && typeof name === 'string'
      ? [{ id: String(key), title: name }]
      : []
  })
  const [first] = named
  const other = named.find(
    (one) =>
      first !== undefined &&
      one.id !== first.id &&
      !one.title.includes(first.title) &&
      !first.title.includes(one.title),
  )
  return first === undefined || other === undefined ? undefined : [first, other]
}

/** The name of the parameter of a template that has one parameter. */
export const parameterOf = (template: string): string => parametersOf(template)?.[0] ?? ''

/** Whether each resource contains the name of its item. */
export const hasTitles = ({ items, reads }: TemplateReads): boolean =>
  items.every(({ title }, index) => textOfResource(reads[index]!).includes(title))

/** Inserts an id into a template with one parameter. Reads the resource at the resulting URI. */
export const readItem = (session: Session, template: string, id: string): Promise<McpExchange> =>
  session.request('resources/read', {
    uri: template.replace(/\{\w+\}/, () => percentEncode(id)),
  })

/**
 * Reads two items with each URI template that has one parameter. Skips templates that seem to be
 * for other data: those whose contents name neither item and whose parameter is not in `idNames`,
 * the names of fields that contain the id of an item.
 */
export async function readItems(
  session: Session,
  items: readonly [NamedItem, NamedItem],
  idNames: readonly string[],
): Promise<TemplateReads[]> {
  const { entries } = await listTemplates(session)
  const simple = entries
    .map(templateOf)
    .filter((template) => template !== undefined)
    .filter((template) => /\{\w+\}/.test(template) && parametersOf(template)?.length === 1)
  const found: TemplateReads[] = []
  for (const template of simple) {
    const reads = [
      await readItem(session, template, items[0].id),
      await readItem(session, template, items[1].id),
    ] as const
    const texts = reads.map(textOfResource)
    if (
      texts.every((text) => text !== '') &&
      (idNames.includes(parameterOf(template)) ||
        items.some(({ title }) => texts.some((text) => text.includes(title))))
    )
      found.push({ template, items, reads })
  }
  return found
}
