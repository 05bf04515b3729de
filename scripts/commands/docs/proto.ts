import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { markup } from '../../../conformance/report/html/markup.ts'
import { packageRoot } from '../../package.ts'
import type { Links } from './links.ts'
import { sample, tableOf, type DocumentedDefinition, type DefinitionGroup } from './definitions.ts'

/** Valid messages, as JSON. A test checks that they have exactly the fields of the contract. */
export const messageExamples: Readonly<Record<string, object>> = {
  GreetingRequest: { name: 'Ada', request_id: '1' },
  GreetingResponse: { message: 'Hello, Ada!', server_timestamp: '2027-03-01T09:30:00Z' },
}

/** Returns the method and the messages of the greeting service. */
export async function protoParts(links: Links): Promise<DefinitionGroup[]> {
  const source = await readFile(join(packageRoot(), 'specs/proto/examples/greeting.proto'), 'utf8')
  const { root } = protobuf.parse(source, { keepCase: true, alternateCommentMode: true })
  const all = nested(root)
  const services = all.filter((one) => one instanceof protobuf.Service)
  const messages = all.filter((one) => one instanceof protobuf.Type)
  return [
    {
      id: 'methods',
      heading: 'Methods',
      introduction: markup`${services.map((service) => markup`<p>${links.prose(service.comment ?? '')}</p>\n`)}${sample('greeting.proto', source)}`,
      entries: services.flatMap((service) =>
        service.methodsArray.map((method) => methodEntry(service, method, links)),
      ),
    },
    {
      id: 'messages',
      heading: 'Messages',
      entries: messages.map((message) => messageEntry(message, links)),
    },
  ]
}

/** Returns the services and messages of a namespace and of those inside it. */
function nested(parent: protobuf.NamespaceBase): protobuf.ReflectionObject[] {
  return parent.nestedArray.flatMap((one) => [
    one,
    ...(one instanceof protobuf.Namespace ? nested(one) : []),
  ])
}

/** The ids of requirements in a comment. */
const requirementsOf = (...comments: readonly (string | null)[]): string[] =>
  comments.flatMap((comment) => comment?.match(/\b[A-Z]+-[A-Z]+-\d\d\b/g) ?? [])

function methodEntry(
  service: protobuf.Service,
  method: protobuf.Method,
  links: Links,
): DocumentedDefinition {
  const stream = (isStream: boolean | undefined) => (isStream ? 'stream of ' : '')
  return {
    id: `method-${method.name}`,
    name: method.name,
    summary: (method.comment ?? '').split('\n')[0]!,
    request: `${service.fullName.slice(1)}/${method.name}`,
    requirements: requirementsOf(method.comment),
    content: markup`<p>${links.prose(method.comment ?? '')}</p>
<p>Request: ${stream(method.requestStream)}${linkToMessage(method.requestType)}. Response: ${stream(method.responseStream)}${linkToMessage(method.responseType)}.</p>
`,
  }
}

const messageAnchor = (name: string): string => `message-${name}`
const linkToMessage = (name: string) => markup`<a href="#${messageAnchor(name)}">${name}</a>`

function messageEntry(message: protobuf.Type, links: Links): DocumentedDefinition {
  const { name, comment, fieldsArray } = message
  const example = messageExamples[name]
  return {
    id: messageAnchor(name),
    name,
    summary: (comment ?? '').split('\n')[0]!,
    requirements: requirementsOf(comment, ...fieldsArray.map((field) => field.comment)),
    content: markup`<p>${links.prose(comment ?? '')}</p>
${tableOf(
  `Fields of ${name}`,
  ['field', 'type', 'description'],
  fieldsArray.map((field) => [
    markup`<code>${field.name}</code>`,
    `${field.type}, number ${field.id}`,
    links.prose(field.comment ?? ''),
  ]),
)}${example === undefined ? '' : sample(`Example of ${name}, as JSON`, example)}`,
  }
}
