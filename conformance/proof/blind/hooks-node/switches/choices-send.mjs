// What the sender may do otherwise.
import { choice } from './make.mjs'

const SEND = 'What the service does'
const LIMITS = 'Limits: delivery retry policy not shown'

export const choicesSend = [
  choice('delivery-type-with-charset', SEND, 'deliveries say application/json; charset=utf-8'),
  choice('delivery-body-chunked', SEND, 'deliveries are sent in chunks without a Content-Length'),
  choice('json-indented', SEND, 'bodies are indented'),
  choice('json-ascii-only', SEND, 'bodies escape all non-ASCII characters as \\u'),
  choice('json-slashes-escaped', SEND, 'bodies escape the slash as \\/'),
  choice('json-ends-with-newline', SEND, 'bodies end with a newline'),
  choice('keys-in-alphabetical-order', SEND, 'keys of all objects are in alphabetical order'),
  choice(
    'user-agent-with-prerelease',
    'Delivery request headers',
    'another product, with a version such as 17.2.0-pre',
  ),
  choice(
    'delivery-ids-in-headers',
    'Delivery request headers',
    'further headers with ids of the hook and the delivery',
  ),
  choice('idempotency-key-sent', 'Delivery request headers', 'an Idempotency-Key header'),
  choice('accept-header-sent', 'Delivery request headers', 'an Accept header'),
  choice(
    'header-names-in-lower-case',
    'Delivery request headers',
    'header names are sent in lower case',
  ),
  choice(
    'body-signature-sent',
    'Body signature header: not shown',
    'a header with an HMAC of the body',
  ),
  choice('connections-kept-alive', SEND, 'connections to receivers are kept and used again'),
  choice('server-errors-retried', LIMITS, 'after a 5xx a delivery is sent again, up to twice'),
  choice(
    'connection-failures-retried',
    LIMITS,
    'after a failed connection a delivery is sent again, up to twice',
  ),
  choice(
    'permanent-redirects-followed',
    'Errors',
    'redirects 307 and 308 are followed once with the same request',
  ),
  choice(
    'url-credentials-not-sent',
    'Hook configuration (request fields)',
    'user and password in the url are not sent as Basic credentials',
  ),
  choice('deliveries-one-after-another', LIMITS, 'deliveries are sent one after another'),
  choice('deliveries-after-a-pause', LIMITS, 'deliveries follow the event after 300 ms'),
  choice(
    'receiver-given-30-seconds',
    'Limits: receiver response time',
    'a receiver is given 30 seconds',
  ),
  choice(
    'confidential-header-as-issue',
    'Header value for confidential issue events: not shown',
    'confidential issue events come with X-Hook-Event: Issue Hook',
  ),
]
