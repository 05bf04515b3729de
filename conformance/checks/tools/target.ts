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
  toggle,
  typeOnly,
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
      description: 'URL of the server for streamable HTTP',
      example: 'http://127.0.0.1:4050/mcp',
    }),
    sse: url({
      description: 'URL of the server for HTTP+SSE, the older transport with server-sent events',
      example: 'http://127.0.0.1:4050/sse',
    }),
    stdio: groupOr(
      {
        command: text({
          description: 'program that serves MCP over its standard input and output',
          example: 'node',
          required: true,
        }),
        args: texts({
          description:
            'arguments of that program; {upstream} is replaced by the URL of the fake upstream (see tools.upstream.listen)',
          example: '["server.js", "--upstream", "{upstream}"]',
        }),
        env: variables({
          description:
            'environment variables of that program, in addition to PATH, HOME and the like; {upstream} is replaced by the URL of the fake upstream (see tools.upstream.listen)',
          example: '{ "UPSTREAM": "{upstream}" }',
        }),
        cwd: text({
          description: 'working directory of that program',
          example: '.',
        }),
      },
      typeOnly<{ connect(): Pipes }>(),
    ),
    search: group({
      tool: text({
        description:
          'tool that searches or lists, with pagination and the argument response_format (markdown or json)',
        example: 'shelf_search_books',
        required: true,
      }),
      arguments: object({
        description: 'arguments with which that tool finds several items',
        example: '{ "query": "the" }',
        required: true,
      }),
      id: text({
        description:
          'name of the JSON field that contains the id of an item in a result of that tool',
        example: 'id',
      }),
      title: text({
        description: 'name of the JSON field that contains the readable name of an item',
        example: 'title',
      }),
      query: toggle({
        description: 'whether that tool searches for a query; false if it only lists',
        example: 'true',
        default: true,
        optional: true,
      }),
    }),
    long: group({
      tool: text({
        description: 'paginated tool whose full result is longer than 25,000 characters',
        example: 'shelf_report_inventory',
        required: true,
      }),
      arguments: object({
        description: 'arguments for the longest possible result of that tool',
        example: '{ "limit": 100 }',
        required: true,
      }),
      id: text({
        description:
          'name of the JSON field that contains the id of an item in a result of that tool',
        example: 'id',
      }),
    }),
    get: group({
      tool: text({
        description: 'tool that sends a request to the upstream, the API behind the tool server',
        example: 'shelf_get_book',
        required: true,
      }),
      arguments: object({
        description: 'arguments with which that tool succeeds',
        example: '{ "id": "b-001" }',
        required: true,
      }),
    }),
    calls: objects({
      description:
        'additional tools that the suite may call, with arguments that each tool accepts: {"tool_name": {"argument": "value"}}',
      example: '{ "shelf_create_loan": { "book_id": "b-002", "reader_id": "r-003" } }',
    }),
    elicit: group({
      tool: text({
        description: 'tool that elicits input from the user',
        example: 'shelf_recommend_book',
        required: true,
      }),
      arguments: object({
        description: 'arguments with which that tool elicits input',
        example: '{ "mood": "calm" }',
        default: {},
      }),
      content: object({
        description: 'content with which the suite responds to the elicitation',
        example: '{ "topic": "sea" }',
        required: true,
      }),
    }),
    resource: text({
      description: 'URI of a resource that the suite may read',
      example: 'shelf://books/b-001',
    }),
    upstream: group(
      {
        listen: address({
          description:
            'address of the fake upstream, which replaces the API behind the tool server; the suite runs the fake upstream only if you set this key or another key of tools.upstream',
          example: '127.0.0.1:8099',
          fallback: '127.0.0.1:0',
        }),
        publicUrl: root({
          description:
            'base URL at which the tool server reaches the fake upstream, if it is not the listen address',
          example: 'https://upstream.example.com',
        }),
        forward: root({
          description:
            'base URL of the real API, to which the fake upstream forwards requests while it simulates no failure',
          example: 'http://127.0.0.1:8098',
        }),
        control: url({
          description:
            'URL of a test endpoint that your tool server provides to change its upstream: POST {"url": …} sets it, and {"url": null} restores it',
          example: 'http://127.0.0.1:4050/_touchstone/upstream',
        }),
      },
      { keysToPropose: ['listen'] },
    ),
    clock: url({
      description:
        'URL of a test endpoint that sets the clock of your tool server, to test its timeouts over HTTP and SSE: POST {"offsetSeconds": N} sets it N seconds ahead of real time, and N = 0 resets it; if this key is not set, the suite waits in real time',
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
      const urls = [http, sse].filter((address) => address !== undefined)
      if (urls.length === 0) return `the tool server started with \`${command}\``
      const overStdio = command === undefined ? '' : `, and over stdio with \`${command}\``
      return `the tool server at ${urls.join(' and ')}${overStdio}`
    },
    problems({ setKeys: [first, ...others] }) {
      return first === undefined ||
        [first, ...others].some((key) => key === 'http' || key === 'sse' || key === 'stdio.command')
        ? []
        : [[first, 'tools has no transport. Next: set http, sse or stdio']]
    },
    ignores: ({ auth }, path) =>
      !isUsedByPattern(path, auth?.pattern ?? 'none') ||
      (path === 'suite.identity' && auth?.upstream?.control !== undefined),
  },
)

/** A tool server, with at least one transport, and the calls that the suite may make. */
export type ToolsTarget = SectionOf<typeof toolsSection>

/** Keys of the target file that checks of a tool server can need. */
export type ToolsNeed = PathOf<typeof toolsSection> | SuitePath
