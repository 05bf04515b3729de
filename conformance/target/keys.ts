import { eventNames, flags } from '../../generated/events/names.ts'

/**
 * What stands at a key of the target file. `root` is a URL that paths are added to, `url` one that is called as it is; an `id` may be a number;
 * a `word` is one of its choices, `words` are some of them; a `map` has names and values of its own, which are taken for secrets; a `pem` is the name of a
 * file with keys or certificates; an `object` is any object of JSON, `texts` are any texts in their order; `fields` are those of a form, by their names, with
 * values that are taken for secrets.
 */
export type Kind =
  | 'root' | 'url' | 'text' | 'id' | 'secret' | 'switch' | 'bytes' | 'count' | 'duration' | 'address' | 'word' | 'words' | 'map' | 'pem' | 'object' | 'texts' | 'fields'

export interface Key {
  /** Where it stands: `images.batch.url`. */
  readonly path: string
  readonly kind: Kind
  /** What it is, in a few words. */
  readonly says: string
  readonly example: string
  /** Variable of the environment that fills it in where nothing else does. */
  readonly variable?: string
  /** What holds where it is not given. */
  readonly fallback?: string
  /** Whether its section cannot do without it. */
  readonly required?: true
  /** For a word and for words. */
  readonly choices?: readonly string[]
}

/** Every key of the target file. Its schema, its flags, its errors and the file that `init` writes derive from this table. */
export const keys: readonly Key[] = [
  { path: 'images.url', kind: 'root', says: 'root of the API, with its version segment', example: 'http://127.0.0.1:4010/client/v4', required: true },
  { path: 'images.account', kind: 'text', says: "the account's id", example: 'acc-1', required: true },
  { path: 'images.token', kind: 'secret', says: 'a token that may edit images', example: '${IMAGES_TOKEN}', variable: 'IMAGES_TOKEN', required: true },
  {
    path: 'images.limitedToken',
    kind: 'secret',
    says: 'a valid token that may not edit images',
    example: '${IMAGES_LIMITED_TOKEN}',
    variable: 'IMAGES_LIMITED_TOKEN',
  },
  { path: 'images.batch.url', kind: 'root', says: 'root of the batch host', example: 'http://127.0.0.1:4011', required: true },
  {
    path: 'images.batch.token',
    kind: 'secret',
    says: "the batch host's own token",
    example: '${IMAGES_BATCH_TOKEN}',
    variable: 'IMAGES_BATCH_TOKEN',
    required: true,
  },
  { path: 'images.delivery', kind: 'root', says: 'root of the delivery URLs', example: 'http://127.0.0.1:4013' },
  { path: 'images.maxFileBytes', kind: 'bytes', says: 'the largest file that the service takes, in bytes', example: '10485760' },
  { path: 'images.bulk', kind: 'switch', says: 'true where the suite may make 101 images at each host', example: 'true' },
  {
    path: 'images.flexibleVariants',
    kind: 'switch',
    says: "the account's present setting, which the suite changes and puts back",
    example: 'false',
  },
  { path: 'images.state', kind: 'switch', says: 'false for a mock that remembers nothing', example: 'true', fallback: 'true' },
  {
    path: 'images.clock',
    kind: 'url',
    says: 'a URL that sets the clock of the target N seconds ahead of real time when {"offsetSeconds": N} is posted to it; 0 puts it back',
    example: 'http://127.0.0.1:4010/_touchstone/clock',
  },
  {
    path: 'images.fetchTimeout',
    kind: 'duration',
    says: 'how long the service waits for the rest of a picture that stalls while it fetches it; the suite waits for 2s more',
    example: '5s',
  },
  { path: 'hooks.url', kind: 'root', says: 'root of the hook API, with its version segment', example: 'http://127.0.0.1:4020/api/v4', required: true },
  { path: 'hooks.project', kind: 'id', says: 'the project whose hooks the suite may add to', example: '42', required: true },
  { path: 'hooks.token', kind: 'secret', says: 'a token that may configure hooks', example: '${HOOKS_TOKEN}', variable: 'HOOKS_TOKEN', required: true },
  {
    path: 'hooks.triggers',
    kind: 'words',
    says: 'the events that a test call can bring about',
    example: '[push_events, issues_events]',
    fallback: '[push_events]',
    choices: [...Object.values(flags), 'confidential_issues_events'],
  },
  { path: 'hooks.state', kind: 'switch', says: 'false for a mock that delivers nothing', example: 'true', fallback: 'true' },
  { path: 'receiver.url', kind: 'url', says: 'where the receiver takes deliveries', example: 'http://127.0.0.1:4030/hook', required: true },
  { path: 'receiver.secret', kind: 'secret', says: 'the secret token that it compares with', example: '${RECEIVER_SECRET}', variable: 'RECEIVER_SECRET' },
  {
    path: 'receiver.events',
    kind: 'words',
    says: 'the events that it takes',
    example: '[push, tag_push]',
    fallback: `[${eventNames.join(', ')}]`,
    choices: eventNames,
  },
  {
    path: 'receiver.onMismatch',
    kind: 'word',
    says: 'what it does with a wrong token: refuse it, or acknowledge and drop it',
    example: 'refuse',
    fallback: 'refuse',
    choices: ['refuse', 'drop'],
  },
  { path: 'greeting.address', kind: 'address', says: 'host and port of the greeting service', example: '127.0.0.1:50051', required: true },
  {
    path: 'greeting.service',
    kind: 'text',
    says: 'the full name of its service, where server reflection does not tell it',
    example: 'examples.GreetingService',
  },
  {
    path: 'greeting.metadata',
    kind: 'map',
    says: 'metadata that every call carries, such as what proves who calls',
    example: '{ "authorization": "Bearer ${GREETING_TOKEN}" }',
    variable: 'GREETING_METADATA',
  },
  { path: 'greeting.tls.ca', kind: 'pem', says: 'a file with the certificates to trust, in place of those of the system; `tls: {}` alone turns TLS on', example: 'ca.pem' },
  { path: 'greeting.tls.cert', kind: 'pem', says: "a file with the client's own certificate, for a server that asks for one", example: 'client.pem' },
  { path: 'greeting.tls.key', kind: 'pem', says: 'a file with the key of that certificate', example: 'client-key.pem' },
  {
    path: 'greeting.relationship',
    kind: 'word',
    says: 'one-to-one where each request gets one response, at once and in order',
    example: 'one-to-one',
    choices: ['one-to-one'],
  },
  { path: 'tools.http', kind: 'url', says: 'where the tool server speaks streamable HTTP', example: 'http://127.0.0.1:4050/mcp' },
  { path: 'tools.sse', kind: 'url', says: 'where it speaks HTTP with server-sent events', example: 'http://127.0.0.1:4050/sse' },
  { path: 'tools.stdio.command', kind: 'text', says: 'the program that serves over its standard input and output', example: 'node', required: true },
  { path: 'tools.stdio.args', kind: 'texts', says: "that program's arguments; {upstream} stands for the address of the upstream", example: '["server.js", "--upstream", "{upstream}"]' },
  { path: 'tools.stdio.env', kind: 'object', says: "further variables of that program's environment; {upstream} stands for the address of the upstream", example: '{ "UPSTREAM": "{upstream}" }' },
  { path: 'tools.stdio.cwd', kind: 'text', says: 'the folder that it is started in', example: '.' },
  { path: 'tools.search.tool', kind: 'text', says: 'a tool that searches, with pages and both formats', example: 'shelf_search_books', required: true },
  { path: 'tools.search.arguments', kind: 'object', says: 'arguments with which it finds several items', example: '{ "query": "the" }', required: true },
  { path: 'tools.search.id', kind: 'text', says: 'the member of an item in json that identifies it', example: 'id' },
  { path: 'tools.search.title', kind: 'text', says: 'the member of an item in json that names it to people', example: 'title' },
  { path: 'tools.long.tool', kind: 'text', says: 'a tool with pages whose whole result is over 25,000 characters', example: 'shelf_report_inventory', required: true },
  { path: 'tools.long.arguments', kind: 'object', says: 'arguments with which it gives as much as it can', example: '{ "limit": 100 }', required: true },
  { path: 'tools.long.id', kind: 'text', says: 'the member of an item in json that identifies it', example: 'id' },
  { path: 'tools.get.tool', kind: 'text', says: 'a tool that asks the upstream', example: 'shelf_get_book', required: true },
  { path: 'tools.get.arguments', kind: 'object', says: 'arguments with which it succeeds', example: '{ "id": "b-001" }', required: true },
  {
    path: 'tools.calls',
    kind: 'object',
    says: 'further tools that the suite may call, each with arguments that it takes',
    example: '{ "shelf_create_loan": { "book_id": "b-002", "reader_id": "r-003" } }',
  },
  { path: 'tools.elicit.tool', kind: 'text', says: 'a tool that asks its user while it runs', example: 'shelf_recommend_book', required: true },
  { path: 'tools.elicit.arguments', kind: 'object', says: 'arguments with which it asks', example: '{}', required: true },
  { path: 'tools.elicit.content', kind: 'object', says: 'what the suite answers as its user', example: '{ "topic": "sea" }', required: true },
  { path: 'tools.resource', kind: 'text', says: 'the URI of a resource that the suite may read', example: 'shelf://books/b-001' },
  { path: 'tools.upstream.listen', kind: 'address', says: "where the suite plays the tool server's upstream", example: '127.0.0.1:8099', fallback: '127.0.0.1:0' },
  { path: 'tools.upstream.publicUrl', kind: 'root', says: 'how the tool server reaches it, where that is another address', example: 'https://upstream.example.com' },
  { path: 'tools.upstream.forward', kind: 'root', says: 'the true upstream, which answers wherever no failure is played', example: 'http://127.0.0.1:8098' },
  {
    path: 'tools.upstream.hook',
    kind: 'url',
    says: 'a URL that points the tool server at another upstream when {"url": …} is posted to it; {"url": null} puts it back',
    example: 'http://127.0.0.1:4050/_touchstone/upstream',
  },
  {
    path: 'tools.clock',
    kind: 'url',
    says: 'a URL that sets the clock by which the server behind http and sse waits N seconds ahead when {"offsetSeconds": N} is posted to it; 0 puts it back; without it the suite waits as long',
    example: 'http://127.0.0.1:4050/_touchstone/clock',
  },
  {
    path: 'tools.auth.pattern',
    kind: 'word',
    says: 'which of the four patterns of authentication it has; none where there is no `auth`',
    example: 'oauth-provider',
    choices: ['none', 'jwt', 'oauth-proxy', 'oauth-provider'],
    required: true,
  },
  { path: 'tools.auth.secret', kind: 'secret', says: 'jwt: what tokens are signed with, by HS256; the suite signs its own', example: '${TOOLS_JWT_SECRET}', variable: 'TOOLS_JWT_SECRET' },
  { path: 'tools.auth.issuer', kind: 'text', says: 'jwt: the issuer that tokens have to name', example: 'https://issuer.example.com' },
  { path: 'tools.auth.audience', kind: 'text', says: 'jwt: the audience that tokens have to name', example: 'shelf_mcp' },
  { path: 'tools.auth.claims', kind: 'object', says: 'jwt: what tokens have to say beside that', example: '{ "sub": "tester" }' },
  { path: 'tools.auth.token', kind: 'secret', says: 'jwt: a token that is good for the whole run, where the secret is not told', example: '${TOOLS_TOKEN}', variable: 'TOOLS_TOKEN' },
  { path: 'tools.auth.url', kind: 'root', says: 'oauth: where /authorize, /token and /register are, where that is not the origin of http or sse', example: 'http://127.0.0.1:4050' },
  { path: 'tools.auth.registration', kind: 'switch', says: 'oauth: false where clients may not register by themselves', example: 'true', fallback: 'true' },
  { path: 'tools.auth.clientId', kind: 'text', says: 'oauth: a client for the suite, where it may not register one', example: 'touchstone' },
  { path: 'tools.auth.clientSecret', kind: 'secret', says: "oauth: that client's secret, where it has one", example: '${TOOLS_CLIENT_SECRET}', variable: 'TOOLS_CLIENT_SECRET' },
  { path: 'tools.auth.redirectUri', kind: 'url', says: 'oauth: an address to which users of that client may return', example: 'http://127.0.0.1:7777/back' },
  { path: 'tools.auth.scope', kind: 'text', says: 'oauth: what the suite asks for, where it has to ask', example: 'shelf:read shelf:write' },
  { path: 'tools.auth.resource', kind: 'url', says: 'oauth: the resource for which it asks (RFC 8707), where it has to', example: 'http://127.0.0.1:4050/mcp' },
  {
    path: 'tools.auth.consent',
    kind: 'word',
    says: 'oauth: how its users allow something: on pages with forms, which the suite fills in; by a program; or nobody is asked',
    example: 'form',
    fallback: 'form',
    choices: ['auto', 'form', 'command'],
  },
  { path: 'tools.auth.form', kind: 'fields', says: 'oauth: what a user writes into the fields of those forms, by their names', example: '{ "login": "ada", "password": "${TOOLS_PASSWORD}" }' },
  { path: 'tools.auth.approve', kind: 'text', says: 'oauth: the button that allows, as name=value or by its text, where the suite does not find it', example: 'decision=approve' },
  { path: 'tools.auth.deny', kind: 'text', says: 'oauth: the button or link that denies', example: 'decision=deny' },
  { path: 'tools.auth.command.command', kind: 'text', says: 'oauth: a program that is a user and its browser', example: 'node', required: true },
  { path: 'tools.auth.command.args', kind: 'texts', says: "that program's arguments; {url} stands for where it goes, {decision} for approve or deny", example: '["decide.js", "{url}", "{decision}"]' },
  { path: 'tools.auth.whoami.tool', kind: 'text', says: 'oauth: a tool that tells login and email of its user', example: 'shelf_show_status', required: true },
  { path: 'tools.auth.whoami.arguments', kind: 'object', says: 'arguments with which it does', example: '{}', required: true },
  {
    path: 'tools.auth.clock',
    kind: 'url',
    says: 'oauth: a URL that sets the clock by which codes and tokens end N seconds ahead when {"offsetSeconds": N} is posted to it; 0 puts it back',
    example: 'http://127.0.0.1:4050/_touchstone/clock',
  },
  { path: 'tools.auth.attempts', kind: 'count', says: 'oauth: after so many wrong attempts within a minute it wants its clients to wait; the suite makes them at its end', example: '100' },
  { path: 'tools.auth.upstream.clientId', kind: 'text', says: 'oauth-proxy: who the server is at the upstream identity provider (CLIENT_ID)', example: 'shelf', required: true },
  {
    path: 'tools.auth.upstream.clientSecret',
    kind: 'secret',
    says: 'oauth-proxy: how it proves that there (CLIENT_SECRET)',
    example: '${TOOLS_UPSTREAM_SECRET}',
    variable: 'TOOLS_UPSTREAM_SECRET',
  },
  { path: 'tools.auth.upstream.scopes', kind: 'texts', says: 'oauth-proxy: what it asks for there', example: '["read:user", "user:email"]' },
  {
    path: 'tools.auth.upstream.hook',
    kind: 'url',
    says: 'oauth-proxy: a URL that points the server at another identity provider, with /authorize, /token and /user, when {"url": …} is posted to it; {"url": null} puts it back',
    example: 'http://127.0.0.1:4050/_touchstone/identity',
  },
  {
    path: 'suite.receiver.listen',
    kind: 'address',
    says: 'where the suite receives deliveries',
    example: '127.0.0.1:0',
    fallback: '127.0.0.1:0',
  },
  {
    path: 'suite.receiver.publicUrl',
    kind: 'root',
    says: 'how a sender reaches it, where that is another address',
    example: 'https://receiver.example.com',
  },
  {
    path: 'suite.receiver.tlsListen',
    kind: 'address',
    says: 'where the suite receives deliveries over TLS, under a certificate that it signs itself',
    example: '127.0.0.1:0',
    fallback: '127.0.0.1:0',
  },
  {
    path: 'suite.receiver.tlsUrl',
    kind: 'root',
    says: 'how a sender reaches that one, where it is another address; nothing in between may end the TLS connection',
    example: 'https://receiver.example.com:8443',
  },
  {
    path: 'suite.pictures.listen',
    kind: 'address',
    says: 'where the suite serves the pictures that the target fetches',
    example: '127.0.0.1:0',
    fallback: '127.0.0.1:0',
  },
  {
    path: 'suite.pictures.publicUrl',
    kind: 'root',
    says: 'how the target reaches those pictures, where that is another address',
    example: 'https://pictures.example.com',
  },
  { path: 'suite.identity.listen', kind: 'address', says: 'where the suite plays the identity provider behind an oauth-proxy', example: '127.0.0.1:8097', fallback: '127.0.0.1:0' },
  { path: 'suite.identity.publicUrl', kind: 'root', says: 'how the tool server and its users reach it, where that is another address', example: 'https://identity.example.com' },
  { path: 'suite.patience', kind: 'duration', says: 'how long a delivery may take to arrive', example: '10s', fallback: '10s' },
  { path: 'suite.watch', kind: 'duration', says: 'how long a sender is watched after a delivery failed', example: '3s', fallback: '3s' },
  { path: 'suite.settle', kind: 'duration', says: 'how long a read may lag behind a write', example: '2s', fallback: '0s' },
  { path: 'suite.pace', kind: 'duration', says: 'the pause between the starts of two requests', example: '100ms', fallback: '0s' },
  { path: 'suite.concurrency', kind: 'count', says: 'requests under way at once', example: '8', fallback: '8' },
  { path: 'suite.timeout', kind: 'duration', says: 'the longest that one exchange may take', example: '10s', fallback: '10s' },
]

/** Maps that hold keys, the document itself (`''`) first. */
export const sections: readonly string[] = [
  ...new Set(keys.flatMap(({ path }) => path.split('.').map((_, index, words) => words.slice(0, index).join('.')))),
]

/** The section that a key stands in: `images.batch` for `images.batch.url`. */
export function sectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'))
}

/** Names that stand directly in a section. */
export function namesIn(section: string): string[] {
  const prefix = section === '' ? '' : `${section}.`
  const below = keys.filter(({ path }) => path.startsWith(prefix)).map(({ path }) => path.slice(prefix.length).split('.')[0]!)
  return [...new Set(below)]
}

/** The key's flag: `images.batch.url` is `--images-batch-url`, `images.maxFileBytes` is `--images-max-file-bytes`. */
export function flagOf(path: string): string {
  return `--${path.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** What giving a path of the target file means, for people; a section's words are those of its first key. */
export function saysOf(path: string): string | undefined {
  return (keys.find((key) => key.path === path) ?? keys.find((key) => key.path.startsWith(`${path}.`)))?.says
}
