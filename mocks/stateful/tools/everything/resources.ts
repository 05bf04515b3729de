import type { ResourceContent } from '../call.ts'
import { redPixel } from './media.ts'

/** The resources that are listed. None of them changes. */
export const everythingResources = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    description: 'Text.',
    mimeType: 'text/plain',
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'An image.',
    mimeType: 'image/png',
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'Text to which clients subscribe.',
    mimeType: 'text/plain',
  },
]

export const everythingTemplates = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template-data',
    description: 'The data with an id.',
    mimeType: 'application/json',
  },
]

/** The content at a URI; undefined if there is none. */
export function everythingContentAt(uri: string): ResourceContent | undefined {
  switch (uri) {
    case 'test://static-text':
      return { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
    case 'test://static-binary':
      return { mimeType: 'image/png', blob: redPixel }
    case 'test://watched-resource':
      return { mimeType: 'text/plain', text: 'This resource never changes.' }
  }
  const [, id] = /^test:\/\/template\/([^/?#]+)\/data$/.exec(uri) ?? []
  if (id === undefined) return undefined
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return { mimeType: 'application/json', text: JSON.stringify(data) }
}
