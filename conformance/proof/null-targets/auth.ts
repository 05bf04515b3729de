import { json, requests } from './mcp.ts'
import type { NullTarget } from './common.ts'

const of = (status: string, body: string, ...headers: string[]) =>
  [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

const form =
  '<!doctype html><title>Sign in</title><form method="post"><input name="login"><input name="password" type="password"><button name="decision" value="approve">Allow</button></form>'

/** What stands where a tool server should that knows who comes, and knows nobody. */
export const authNulls: readonly NullTarget[] = [
  {
    name: 'a wall',
    says: 'refuses everybody properly: 401 where no token comes, 403 for every token',
    serve: requests((socket, _body, head) =>
      json(socket, /^authorization:/im.test(head) ? '403 Forbidden' : '401 Unauthorized', '"no"'),
    ),
  },
  {
    name: 'a wall that asks for tokens',
    says: 'answers everything with 401 and WWW-Authenticate',
    serve: requests(
      (socket) =>
        void socket.write(
          of(
            '401 Unauthorized',
            '{"error":"invalid_token"}',
            'WWW-Authenticate: Bearer error="invalid_token"',
          ),
        ),
    ),
  },
  {
    name: 'a client for everything',
    says: 'answers everything with 201 and a client',
    serve: requests((socket) =>
      json(socket, '201 Created', '{"client_id":"you","redirect_uris":[]}'),
    ),
  },
  {
    name: 'a token for everything',
    says: 'answers everything with 200 and a token',
    serve: requests((socket) =>
      json(
        socket,
        '200 OK',
        '{"client_id":"you","access_token":"yes","token_type":"Bearer","expires_in":3600}',
      ),
    ),
  },
  {
    name: 'an error for every request',
    says: 'answers everything with 400 and an error of OAuth',
    serve: requests((socket) => json(socket, '400 Bad Request', '{"error":"invalid_request"}')),
  },
  {
    name: 'a page for everything',
    says: 'answers everything with a page to sign in',
    serve: requests(
      (socket) => void socket.write(of('200 OK', form).replace('application/json', 'text/html')),
    ),
  },
  {
    name: 'a redirect to itself',
    says: 'sends everybody round in circles',
    serve: requests((socket) => void socket.write(of('302 Found', '', 'Location: /again'))),
  },
]
