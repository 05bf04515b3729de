// Violations on the wire: HTTP/2 headers and trailers, framing, Protocol Buffers, routes, deadlines.
const RPC = 'Greeting RPC',
  MSG = 'Greeting messages'
const HTTP2 = 'gRPC over HTTP/2: '
const HEAD = HTTP2 + 'Response-Headers → HTTP-Status [Message-Encoding] Content-Type'
const TYPE = HTTP2 + 'Content-Type → "application/grpc" [("+proto" / "+json" / {custom})]'
const TAIL = HTTP2 + 'Trailers → Status [Status-Message]; Status is an integer in ASCII'
const FRAME = HTTP2 + 'Length-Prefixed-Message → Compressed-Flag Message-Length Message'
const COMPRESS = 'gRPC compression: '
const ROUTE = 'package examples, method BidirectionalGreeting; otherwise UNIMPLEMENTED (12)'
const PROTO = 'Protocol Buffers encoding: '
const UNKNOWN = PROTO + 'parsers skip unknown fields'
const STREAMS = 'exchanges streams of greeting requests and greeting responses over one connection'
const DEADLINE = HTTP2 + 'Timeout → TimeoutValue TimeoutUnit (H, M, S, m, u, n)'

export const wireRules = [
  ['content-type-json', RPC, TYPE, 'the response has Content-Type application/json'],
  ['content-type-octets', RPC, TYPE, 'the response has Content-Type application/octet-stream'],
  ['content-type-missing', RPC, HEAD, 'the response has no Content-Type'],
  ['http-status-202', RPC, HTTP2 + 'HTTP-Status → ":status 200"', 'the HTTP status is 202'],
  [
    'http-status-500-on-failure',
    RPC,
    HTTP2 + 'HTTP-Status → ":status 200"',
    'an unknown method gets HTTP 500 with its grpc-status',
  ],
  [
    'status-in-headers',
    RPC,
    TAIL,
    'grpc-status 0 is in the headers; messages follow, trailers do not',
  ],
  ['trailers-missing', RPC, TAIL, 'the stream ends without trailers'],
  ['status-missing', RPC, TAIL, 'the trailers have no grpc-status'],
  ['status-as-word', RPC, TAIL, 'grpc-status is OK in place of 0'],
  ['status-message-without-status', RPC, TAIL, 'the trailers have a grpc-message only'],
  [
    'status-missing-for-empty-stream',
    RPC,
    TAIL,
    'a stream without requests ends without grpc-status',
  ],
  [
    'reset-in-place-of-status',
    RPC,
    TAIL,
    'after the half-close, the stream is reset with INTERNAL_ERROR',
  ],
  ['reset-after-long-stream', RPC, TAIL, 'a stream of more than 50 requests ends by RST_STREAM'],
  ['prefix-little-endian', RPC, FRAME + '; big endian', 'the message length is little endian'],
  ['prefix-missing', RPC, FRAME, 'messages have no prefix'],
  ['prefix-counts-itself', RPC, FRAME, 'the message length counts the five bytes of the prefix'],
  ['prefix-counts-characters', RPC, FRAME, 'the message length counts characters, not bytes'],
  ['prefix-of-16-bits', RPC, FRAME, 'the message length keeps its low 16 bits'],
  [
    'flag-without-encoding',
    RPC,
    COMPRESS + 'with no Message-Encoding, the flag must be 0',
    'the compressed flag is 1 and there is no grpc-encoding',
  ],
  [
    'gzip-without-flag',
    RPC,
    COMPRESS + 'the flag is 1 for a compressed message',
    'messages are compressed with gzip and the flag is 0',
  ],
  [
    'gzip-not-accepted',
    RPC,
    COMPRESS + 'only what Message-Accept-Encoding allows',
    'compresses with gzip although the client does not accept it',
  ],
  [
    'encoding-not-named',
    RPC,
    COMPRESS + 'Message-Encoding names the algorithm',
    'says grpc-encoding: snappy, with the flag at 1, and compresses with gzip',
  ],
  ['last-message-cut', RPC, FRAME, 'the last byte of every tenth message is missing'],
  [
    'second-in-frame-lost',
    RPC,
    FRAME + '; DATA frame boundaries have no relation to messages',
    'of several requests in one DATA frame, only the first counts',
  ],
  [
    'split-request-lost',
    RPC,
    FRAME + '; DATA frame boundaries have no relation to messages',
    'a request that is split over two DATA frames is lost',
  ],
  [
    'split-request-fails',
    RPC,
    FRAME + '; DATA frame boundaries have no relation to messages',
    'a request whose prefix comes alone fails the stream with INTERNAL',
  ],
  [
    'compressed-request-misread',
    RPC,
    COMPRESS + 'a compressed message is decompressed, or UNIMPLEMENTED',
    'ignores the compressed flag of a request',
  ],
  [
    'compressed-request-dropped',
    RPC,
    COMPRESS + 'a compressed message is decompressed, or UNIMPLEMENTED',
    'drops compressed requests silently',
  ],
  [
    'unknown-encoding-internal',
    RPC,
    COMPRESS + 'an unsupported algorithm gives UNIMPLEMENTED',
    'a request in an unknown encoding fails with INTERNAL',
  ],
  [
    'reads-64-kb-only',
    RPC,
    'HTTP/2 flow control: WINDOW_UPDATE as data is consumed',
    'stops reading a stream after 64 KB of requests',
  ],
  [
    'drops-when-client-is-slow',
    RPC,
    'HTTP/2 flow control: data waits for the window',
    'drops responses while the window of the client is full',
  ],
  [
    'response-fields-shifted',
    MSG,
    'message 1, server_timestamp 2',
    'the response fields have the numbers 2 and 3',
  ],
  ['message-field-is-three', MSG, 'message, string, 1', 'message has the field number 3'],
  [
    'time-as-message',
    MSG,
    'server_timestamp, string, 2',
    'server_timestamp is a google.protobuf.Timestamp',
  ],
  ['time-as-integer', MSG, 'server_timestamp, string, 2', 'server_timestamp is a varint'],
  [
    'time-field-missing-from-second',
    MSG,
    'server_timestamp',
    'from the second response on, field 2 is absent',
  ],
  ['message-in-latin-1', MSG, PROTO + 'string is UTF-8', 'message is written in Latin-1'],
  [
    'message-in-cesu-8',
    MSG,
    PROTO + 'string is UTF-8',
    'characters beyond the basic plane are two triples',
  ],
  [
    'length-of-one-byte',
    MSG,
    PROTO + 'lengths are varints',
    'the length of message has one byte: 127 at most',
  ],
  ['unknown-field-fails', MSG, UNKNOWN, 'an unknown field fails the stream with INTERNAL'],
  ['unknown-fixed-field-fails', MSG, UNKNOWN, 'unknown fields of 32 or 64 bits fail the stream'],
  ['unknown-field-ends-message', MSG, UNKNOWN, 'what comes after an unknown field is not read'],
  [
    'tag-of-one-byte',
    MSG,
    PROTO + 'tags are varints',
    'reads tags of one byte: numbers above 15 are misread',
  ],
  [
    'fields-by-position',
    MSG,
    PROTO + 'fields may come in any order',
    'the first string is name, the second request_id',
  ],
  [
    'first-of-two-counts',
    MSG,
    PROTO + 'the last value of a field counts',
    'the first value of a field counts',
  ],
  [
    'absent-field-keeps-value',
    MSG,
    PROTO + 'an absent string is empty',
    'an absent name keeps the last value',
  ],
  ['unknown-method-ok', RPC, ROUTE, 'an unknown method ends with OK'],
  ['unknown-method-served', RPC, ROUTE, 'every method of the service is served'],
  ['unknown-method-unknown', RPC, ROUTE, 'an unknown method ends with UNKNOWN'],
  ['unknown-method-404', RPC, ROUTE, 'an unknown method gets HTTP 404 and no grpc-status'],
  ['unknown-method-hangs', RPC, ROUTE, 'an unknown method gets no answer'],
  ['unknown-service-served', RPC, ROUTE, 'the method is served under every service name'],
  ['package-dropped', RPC, ROUTE, 'the service is served without its package only'],
  ['method-in-lower-camel', RPC, ROUTE, 'the method is served as bidirectionalGreeting only'],
  ['plus-proto-refused', RPC, TYPE, 'a request of Content-Type application/grpc+proto gets 415'],
  [
    'second-request-internal',
    RPC,
    'input: stream of GreetingRequest',
    'the second request fails with INTERNAL',
  ],
  [
    'custom-metadata-fails',
    RPC,
    HTTP2 + 'Custom-Metadata is allowed',
    'custom metadata fails with INTERNAL',
  ],
  [
    'binary-metadata-fails',
    RPC,
    HTTP2 + 'Binary-Header → {Header-Name "-bin"}',
    '-bin metadata fails with INTERNAL',
  ],
  ['timeout-units-fail', RPC, DEADLINE, 'timeouts in other units than m fail with INTERNAL'],
  ['timeout-millis-as-micros', RPC, DEADLINE, 'milliseconds are taken for microseconds'],
  ['timeout-seconds-as-millis', RPC, DEADLINE, 'seconds are taken for milliseconds'],
  [
    'timeout-not-enforced',
    RPC,
    'gRPC: DEADLINE_EXCEEDED when the time is over',
    'the deadline of the client is ignored',
  ],
  [
    'cancel-closes-connection',
    RPC,
    STREAMS,
    'a cancelled stream closes the connection with all its streams',
  ],
  [
    'end-closes-connection',
    RPC,
    STREAMS,
    'the end of a stream closes the connection with all its streams',
  ],
  ['second-connection-closed', RPC, STREAMS, 'while a connection is open, further ones are closed'],
  [
    'connection-of-ten-streams',
    RPC,
    STREAMS,
    'the eleventh stream of a connection is reset with INTERNAL_ERROR',
  ],
].map(([name, where, breaks, does]) => ({ name, where, breaks, does }))
