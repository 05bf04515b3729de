import { NotCovered, isObject } from '../../../engine/index.ts'
import type { McpExchange } from '../../../wire/index.ts'
import { listAll } from './list-pages.ts'

import type { Session } from './client-session.ts'
import type { ToolsNeed } from '../target.ts'

export const templatesIn = ({ result }: McpExchange): readonly unknown[] => {
  const templates = result?.['resourceTemplates']
  return Array.isArray(templates) ? (templates as unknown[]) : []
}

export const templateOf = (entry: unknown): string | undefined => {
  const template = isObject(entry) ? entry['uriTemplate'] : undefined
  return typeof template === 'string' ? template : undefined
}

/** The URI of an existing resource: from the target file, or the first of the list. */
export async function readableUri(session: Session, named: string | undefined): Promise<string> {
  if (named !== undefined) return named
  const { entries } = await listAll(session, 'resources/list', 'resources')
  const uri = entries
    .map((entry) => (isObject(entry) ? entry['uri'] : undefined))
    .find((one) => typeof one === 'string')
  if (typeof uri !== 'string')
    throw new NotCovered<ToolsNeed>('no resource URI is known: the server lists none', [
      'tools.resource',
    ])
  return uri
}
