import {
  address,
  group,
  groupOr,
  object,
  objects,
  root,
  section,
  text,
  texts,
  type,
  url,
  variables,
  type PathOf,
  type SectionOf,
} from '../../target-file/section.ts'
import type { SuitePath } from '../../target-file/suite.ts'
import type { Pipes } from '../../wire/index.ts'
import { authGroup, isUsedByPattern } from './authentication.ts'

/** The section of a tool server, with the calls that the suite may make. */
export const toolsSection = section(
  'tools',
  {
    http: url({
      description: 'URL for streamable HTTP',
      example: 'http://127.0.0.1:4050/mcp',
    }),
    sse: url({
      description: 'URL for HTTP with server-sent events',
      example: 'http://127.0.0.1:4050/sse',
    }),
    stdio: groupOr(
      {
        command: text({
          description: 'program that serves over its standard input and output',
          example: 'node',
          required: true,
        }),
        args: texts({
          description:
            'arguments of that program; {upstream} is replaced by the URL of the upstream',
          example: '["server.js", "--upstream", "{upstream}"]',
        }),
        env: variables({
          description:
            'additional environment variables of that program; {upstream} is replaced by the URL of the upstream',
          example: '{ "UPSTREAM": "{upstream}" }',
        }),
        cwd: text({
          description: 'working directory of that program',
          example: '.',
        }),
      },
      type<{ connect(): Pipes }>(),
    ),
    search: group({
      tool: text({
        description: 'search tool, with pages and both formats',
        example: 'shelf_search_books',
        required: true,
      }),
      arguments: object({
        description: 'arguments that find several items',
        example: '{ "query": "the" }',
        required: true,
      }),
      id: text({
        description: 'member of an item in JSON that identifies it',
        example: 'id',
      }),
      title: text({
        description: 'member of an item in JSON with its readable name',
        example: 'title',
      }),
    }),
    long: group({
      tool: text({
        description: 'tool with pages whose full result exceeds 25,000 characters',
        example: 'shelf_report_inventory',
        required: true,
      }),
      arguments: object({
        description: 'arguments that return as much as possible',
        example: '{ "limit": 100 }',
        required: true,
      }),
      id: text({
        description: 'member of an item in JSON that identifies it',
        example: 'id',
      }),
    }),
    get: group({
      tool: text({
        description: 'tool that sends a request to the upstream',
        example: 'shelf_get_book',
        required: true,
      }),
      arguments: object({
        description: 'arguments for a successful call',
        example: '{ "id": "b-001" }',
        required: true,
      }),
    }),
    calls: objects({
      description: 'additional tools that the suite may call, each with arguments that it accepts',
      example: '{ "shelf_create_loan": { "book_id": "b-002", "reader_id": "r-003" } }',
    }),
    elicit: group({
      tool: text({
        description: 'tool that elicits input from its user',
        example: 'shelf_recommend_book',
        required: true,
      }),
      arguments: object({
        description: 'arguments that make it elicit input',
        example: '{}',
        required: true,
      }),
      content: object({
        description: 'content of the response to the elicitation',
        example: '{ "topic": "sea" }',
        required: true,
      }),
    }),
    resource: text({
      description: 'URI of a resource that the suite may read',
      example: 'shelf://books/b-001',
    }),
    upstream: group({
      listen: address({
        description: 'address of the fake upstream that the suite runs for the tool server',
        example: '127.0.0.1:8099',
        fallback: '127.0.0.1:0',
      }),
      publicUrl: root({
        description: 'URL at which the tool server reaches the fake upstream, if it differs',
        example: 'https://upstream.example.com',
      }),
      forward: root({
        description:
          'base URL of the real upstream, which handles requests while no failure is simulated',
        example: 'http://127.0.0.1:8098',
      }),
      hook: url({
        description:
          'URL that switches the upstream of the tool server: POST {"url": …} sets it, {"url": null} restores it',
        example: 'http://127.0.0.1:4050/_touchstone/upstream',
      }),
    }),
    clock: url({
      description:
        'URL that sets the clock for timeouts of the server behind http and sse: POST {"offsetSeconds": N} moves it N seconds ahead of real time, 0 restores it; without it the suite waits in real time',
      example: 'http://127.0.0.1:4050/_touchstone/clock',
    }),
    auth: authGroup,
  },
  {
    identifyingKeys: ['http', 'sse', 'stdio.command'],
    label: ({ http, sse, stdio }) => {
      const command =
        stdio !== undefined && 'command' in stdio
          ? [stdio.command, ...(stdio.args ?? [])].join(' ')
          : undefined
      return `tools at ${[http, sse, command].filter((address) => address !== undefined).join(', ')}`
    },
    problems({ setKeys: [first, ...others] }) {
      return first === undefined ||
        [first, ...others].some((key) => key === 'http' || key === 'sse' || key === 'stdio.command')
        ? []
        : [[first, 'tools has no transport. Next: set http, sse or stdio']]
    },
    ignores: ({ auth }, path) =>
      !isUsedByPattern(path, auth?.pattern ?? 'none') ||
      (path === 'suite.identity' && auth?.upstream?.hook !== undefined),
  },
)

/** A tool server, with at least one transport, and the calls that the suite may make. */
export type ToolsTarget = SectionOf<typeof toolsSection>

/** Keys of the target file that its checks can need. */
export type ToolsNeed = PathOf<typeof toolsSection> | SuitePath
