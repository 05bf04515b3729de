import { writeJson, onHttpRequest } from './mcp.ts'
import type { NullTarget } from './common.ts'

const jsonResponse = (status: string, body: string, ...headers: string[]) =>
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

/** Null targets of tool servers with authentication. */
export const authNullTargets: readonly NullTarget[] = [
  {
    name: '401 and 403',
    description: 'returns 401 to requests without a token and 403 to all others',
    serve: onHttpRequest((socket, _body, head) =>
      writeJson(
        socket,
        /^authorization:/im.test(head) ? '403 Forbidden' : '401 Unauthorized',
        '"no"',
      ),
    ),
  },
  {
    name: '401 with a challenge',
    description: 'returns 401 with WWW-Authenticate to every request',
    serve: onHttpRequest(
      (socket) =>
        void socket.write(
          jsonResponse(
            '401 Unauthorized',
            '{"error":"invalid_token"}',
            'WWW-Authenticate: Bearer error="invalid_token"',
          ),
        ),
    ),
  },
  {
    name: 'a client for everything',
    description: 'returns 201 with a registered client to every request',
    serve: onHttpRequest((socket) =>
      writeJson(socket, '201 Created', '{"client_id":"you","redirect_uris":[]}'),
    ),
  },
  {
    name: 'a token for everything',
    description: 'returns 200 with a token to every request',
    serve: onHttpRequest((socket) =>
      writeJson(
        socket,
        '200 OK',
        '{"client_id":"you","access_token":"yes","token_type":"Bearer","expires_in":3600}',
      ),
    ),
  },
  {
    name: 'an error for every request',
    description: 'returns 400 with an OAuth error to every request',
    serve: onHttpRequest((socket) =>
      writeJson(socket, '400 Bad Request', '{"error":"invalid_request"}'),
    ),
  },
  {
    name: 'a page for everything',
    description: 'returns a login page to every request',
    serve: onHttpRequest(
      (socket) =>
        void socket.write(jsonResponse('200 OK', form).replace('application/json', 'text/html')),
    ),
  },
  {
    name: 'a redirect to itself',
    description: 'redirects every request to /again',
    serve: onHttpRequest(
      (socket) => void socket.write(jsonResponse('302 Found', '', 'Location: /again')),
    ),
  },
]
