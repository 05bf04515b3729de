import { mockNames } from './help.ts'

/**
 * The help of `touchstone mock` without a name. It must fit on a screen of 24 lines with 80
 * columns.
 */
export const shortHelp = `Usage: touchstone mock [name...] [options]
Starts mock servers, prints their URLs and tokens, and runs until Ctrl-C.
  images     image hosting API, on ports 4010 to 4013
  hooks      webhook API, on port 4020
  receiver   receiver of deliveries, on port 4030
  greeting   greeting service over gRPC, on port 50051
  tools      MCP tool server, on port 4050
  identity   identity provider, on port 4060
Without a name, all of them start. Options:
  --stateful          store what clients send (images and hooks)
  --seed <file>       initial data (images and hooks with --stateful; tools)
  --auth <pattern>    none, jwt, oauth-proxy or oauth-provider (tools)
  --transport <name>  streamable_http, sse or stdio (tools)
  --port <port>       port of the first server; 0 means any free port
  --host <address>    address to listen on (default: 127.0.0.1)
  --tls               use TLS with a generated self-signed certificate
  --latency <ms>      delay of every response, such as 50 or 20-200
  --json              print one line of JSON when all servers are ready
  --quiet             print no request log
Example: touchstone mock images --stateful --port 0
More help: touchstone mock NAME --help, for the other options and for examples
NAME: ${mockNames.join(', ')} or all
`
