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

/** What a target file tells of a tool server, and of what may be called there. */
export const toolsSection = section(
  'tools',
  {
    http: url({
      says: 'where the tool server speaks streamable HTTP',
      example: 'http://127.0.0.1:4050/mcp',
    }),
    sse: url({
      says: 'where it speaks HTTP with server-sent events',
      example: 'http://127.0.0.1:4050/sse',
    }),
    stdio: groupOr(
      {
        command: text({
          says: 'the program that serves over its standard input and output',
          example: 'node',
          required: true,
        }),
        args: texts({
          says: "that program's arguments; {upstream} stands for the address of the upstream",
          example: '["server.js", "--upstream", "{upstream}"]',
        }),
        env: variables({
          says: "further variables of that program's environment; {upstream} stands for the address of the upstream",
          example: '{ "UPSTREAM": "{upstream}" }',
        }),
        cwd: text({
          says: 'the folder that it is started in',
          example: '.',
        }),
      },
      type<{ connect(): Pipes }>(),
    ),
    search: group({
      tool: text({
        says: 'a tool that searches, with pages and both formats',
        example: 'shelf_search_books',
        required: true,
      }),
      arguments: object({
        says: 'arguments with which it finds several items',
        example: '{ "query": "the" }',
        required: true,
      }),
      id: text({
        says: 'the member of an item in json that identifies it',
        example: 'id',
      }),
      title: text({
        says: 'the member of an item in json that names it to people',
        example: 'title',
      }),
    }),
    long: group({
      tool: text({
        says: 'a tool with pages whose whole result is over 25,000 characters',
        example: 'shelf_report_inventory',
        required: true,
      }),
      arguments: object({
        says: 'arguments with which it gives as much as it can',
        example: '{ "limit": 100 }',
        required: true,
      }),
      id: text({
        says: 'the member of an item in json that identifies it',
        example: 'id',
      }),
    }),
    get: group({
      tool: text({
        says: 'a tool that asks the upstream',
        example: 'shelf_get_book',
        required: true,
      }),
      arguments: object({
        says: 'arguments with which it succeeds',
        example: '{ "id": "b-001" }',
        required: true,
      }),
    }),
    calls: objects({
      says: 'further tools that the suite may call, each with arguments that it takes',
      example: '{ "shelf_create_loan": { "book_id": "b-002", "reader_id": "r-003" } }',
    }),
    elicit: group({
      tool: text({
        says: 'a tool that asks its user while it runs',
        example: 'shelf_recommend_book',
        required: true,
      }),
      arguments: object({
        says: 'arguments with which it asks',
        example: '{}',
        required: true,
      }),
      content: object({
        says: 'what the suite answers as its user',
        example: '{ "topic": "sea" }',
        required: true,
      }),
    }),
    resource: text({
      says: 'the URI of a resource that the suite may read',
      example: 'shelf://books/b-001',
    }),
    upstream: group({
      listen: address({
        says: "where the suite plays the tool server's upstream",
        example: '127.0.0.1:8099',
        fallback: '127.0.0.1:0',
      }),
      publicUrl: root({
        says: 'how the tool server reaches it, where that is another address',
        example: 'https://upstream.example.com',
      }),
      forward: root({
        says: 'the true upstream, which answers wherever no failure is played',
        example: 'http://127.0.0.1:8098',
      }),
      hook: url({
        says: 'a URL that points the tool server at another upstream when {"url": …} is posted to it; {"url": null} puts it back',
        example: 'http://127.0.0.1:4050/_touchstone/upstream',
      }),
    }),
    clock: url({
      says: 'a URL that sets the clock by which the server behind http and sse waits N seconds ahead when {"offsetSeconds": N} is posted to it; 0 puts it back; without it the suite waits as long',
      example: 'http://127.0.0.1:4050/_touchstone/clock',
    }),
    auth: authGroup,
  },
  {
    places: ['http', 'sse', 'stdio.command'],
    label: ({ http, sse, stdio }) => {
      const command =
        stdio !== undefined && 'command' in stdio
          ? [stdio.command, ...(stdio.args ?? [])].join(' ')
          : undefined
      return `tools at ${[http, sse, command].filter((place) => place !== undefined).join(', ')}`
    },
    problems({ given: [first, ...others] }) {
      return first === undefined ||
        [first, ...others].some((key) => key === 'http' || key === 'sse' || key === 'stdio.command')
        ? []
        : [[first, 'tools names no transport. Next: give it http, sse or stdio']]
    },
    spares: ({ auth }, path) =>
      !isUsedByPattern(path, auth?.pattern ?? 'none') ||
      (path === 'suite.identity' && auth?.upstream?.hook !== undefined),
  },
)

/** A tool server, and what the suite may call there. At least one transport is given. */
export type ToolsTarget = SectionOf<typeof toolsSection>

/** What its checks can need of a target file. */
export type ToolsNeed = PathOf<typeof toolsSection> | SuitePath
