import type { Contract } from '../../../generated/requirements/index.ts'
import { asyncApiParts } from './asyncapi.ts'
import type { Links } from './links.ts'
import { openApiParts } from './openapi.ts'
import type { DefinitionGroup } from './definitions.ts'
import { protoParts } from './proto.ts'
import { toolParts } from './tool-schemas.ts'

/** What the pages contain about a contract in addition to its requirements. */
interface Description {
  /** What the contract is about, in a few sentences. */
  lead: string
  /** The form of its machine-readable definition. */
  format: string
  /** Commands for this contract, with a label for each. */
  commands: readonly (readonly [label: string, line: string])[]
  parts(links: Links): Promise<DefinitionGroup[]>
}

const types = (contract: Contract) =>
  ['types', `npx touchstone types --out src/contracts --contract ${contract}`] as const

export const descriptions: Readonly<Record<Contract, Description>> = {
  images: {
    lead: 'Stores images for accounts, and delivers each of them in several variants. Clients upload files or URLs, and end users upload with one-time tickets. A batch host uploads, lists and deletes images in bulk.',
    format: 'OpenAPI 3.1',
    commands: [
      ['test', 'npx touchstone test http://127.0.0.1:8080/client/v4 --account acc-1'],
      ['mock', 'npx touchstone mock images --stateful'],
      types('images'),
    ],
    parts: (links) => openApiParts(['images-account', 'images-batch', 'images-upload'], links),
  },
  hooks: {
    lead: 'Creates and tests the hooks of a project. A hook is a URL to which the server sends deliveries when an event occurs. The contract of the deliveries is separate.',
    format: 'OpenAPI 3.1',
    commands: [
      ['test', 'npx touchstone test http://127.0.0.1:8020/api/v4 --project 42'],
      ['mock', 'npx touchstone mock hooks --stateful'],
      types('hooks'),
    ],
    parts: (links) => openApiParts(['hooks'], links),
  },
  events: {
    lead: 'The requests that a webhook API sends to receivers, for nine kinds of events. Most requirements apply to the sender of a delivery, others to its receiver.',
    format: 'AsyncAPI 3.0',
    commands: [
      ['test', 'npx touchstone test http://127.0.0.1:8020/api/v4 --project 42'],
      ['receiver', 'npx touchstone test --receiver-url http://127.0.0.1:9000/hook'],
      ['listen', 'npx touchstone listen'],
      types('events'),
    ],
    parts: asyncApiParts,
  },
  greeting: {
    lead: 'A gRPC service with one method: the client sends a stream of names, and the server returns a stream of greetings.',
    format: 'Protocol Buffers 3',
    commands: [
      ['test', 'npx touchstone test 127.0.0.1:50051'],
      ['mock', 'npx touchstone mock greeting'],
      types('greeting'),
    ],
    parts: protoParts,
  },
  tools: {
    lead: 'A tool server for the Model Context Protocol: how it names and describes its tools, which arguments and results they have, and how it reports errors over three transports.',
    format: 'JSON Schema 2020-12',
    commands: [
      ['test', 'npx touchstone test http://127.0.0.1:8000/mcp'],
      ['lint', 'npx touchstone lint-tools --http http://127.0.0.1:8000/mcp'],
      ['mock', 'npx touchstone mock tools'],
      types('tools'),
    ],
    parts: toolParts,
  },
  auth: {
    lead: 'How a tool server authenticates its clients, in four patterns: no authentication, JSON Web Tokens, an OAuth proxy in front of an identity provider, and a complete OAuth provider.',
    format: 'OpenAPI 3.1',
    commands: [
      [
        'test',
        'npx touchstone test http://127.0.0.1:8000/mcp --tools-auth-pattern oauth-provider --contract auth',
      ],
      ['mock', 'npx touchstone mock tools --auth oauth-provider'],
      types('auth'),
    ],
    parts: (links) => openApiParts(['auth'], links),
  },
}
