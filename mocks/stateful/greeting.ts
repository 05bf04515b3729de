import { Server, type ServiceDefinition } from '@grpc/grpc-js'
import {
  bidirectionalGreeting as method,
  encodeGreetingRequest,
  decodeGreetingResponse,
  type GreetingRequest,
} from '../../generated/greeting/index.ts'
import type {
  GreetingMiddleware,
  GreetingCall,
  GreetingContext,
  StreamMiddleware,
  ResolvedGreetingOptions,
} from './greeting/call.ts'
import { makeCertificate } from './greeting/certificate.ts'
import { defaultChoices, type GreetingChoices } from './greeting/choices.ts'
import { addHealth, healthService } from './greeting/health.ts'
import { newHost, type Tls } from './greeting/host.ts'
import { addReflection } from './greeting/reflection.ts'
import { defaultRules, type GreetingRules } from './greeting/rules.ts'
import { serve } from './greeting/serve.ts'
import { shaped } from './greeting/shaping.ts'
import type { SentGreeting, Stream } from './greeting/stream.ts'
import { tokenInterceptor } from './greeting/token.ts'

export type {
  GreetingMiddleware,
  GreetingCall,
  GreetingContext,
  StreamMiddleware,
  Ending,
  ResolvedGreetingOptions,
} from './greeting/call.ts'
export type { GreetingChoices } from './greeting/choices.ts'
export { defaultRules, type GreetingRules } from './greeting/rules.ts'

export interface GreetingOptions {
  /** The full name of the service, in the package examples; examples.GreetingService where it is not given. */
  service?: string
  /** 0 lets the system choose. */
  port?: number
  /** What callers have to send as a bearer token; without it everybody is served. */
  token?: string
  /** True for a certificate that signs itself. With a `clientCa` callers have to show a certificate of that authority. */
  tls?: boolean | Partial<Tls>
  /** Legal freedoms; what is not given is as in `defaultChoices`. */
  choices?: Partial<GreetingChoices>
  /** Demands of the document, replaced one by one; for faults. */
  rules?: Partial<GreetingRules>
  /** Stands around every stream of the method; for faults. */
  around?: GreetingMiddleware
  /** Stands before gRPC; for faults. */
  door?: StreamMiddleware
  /** How long every response is held back. */
  delayMs?: number
}

export interface GreetingServer {
  /** Host and port. */
  address: string
  /** The full name of the service. */
  service: string
  /** Whom a caller has to trust, as PEM; undefined without TLS. */
  ca: string | undefined
  options: ResolvedGreetingOptions
  choices: GreetingChoices
  /** What handlers and faults get as `call.server`. */
  context: GreetingContext
  /** Ends it at once, with all streams. */
  close(): Promise<void>
}

/** Starts the greeting service on a port of the loopback address. A taken port rejects with its `code` and `port`. */
export async function startGreeting({
  port = 0,
  around,
  door = (_stream, _headers, next) => next(),
  ...options
}: GreetingOptions = {}): Promise<GreetingServer> {
  const open = new Set<GreetingCall>()
  const context = newContext(options, open)
  const {
    choices,
    options: { service },
  } = context
  const grpc = new Server({
    'grpc.max_receive_message_length': choices.maxReceiveBytes,
    'grpc.max_send_message_length': -1,
    // Nobody asks for its statistics.
    'grpc.enable_channelz': 0,
    interceptors: context.options.token === undefined ? [] : [tokenInterceptor(context)],
  })
  grpc.addService(definitionOf(context), {
    [method.name]: (stream: Stream) => void serve(stream, context, open, around),
  })
  if (choices.health) addHealth(grpc, [service, healthService])
  await addReflection(grpc, service, choices)

  const tls = await certified(options.tls)
  const host = newHost(grpc, { maxStreams: choices.maxStreams, tls, door: shaped(choices, door) })
  const address = await host.listen(port)
  return {
    address,
    service,
    ca: tls?.cert,
    options: context.options,
    choices,
    context,
    close: () => host.close(),
  }
}

function newContext(
  {
    service = `${method.package}.${method.service}`,
    token,
    delayMs = 0,
    choices,
    rules,
  }: GreetingOptions,
  open: ReadonlySet<GreetingCall>,
): GreetingContext {
  return {
    options: { service, token, delayMs },
    choices: { ...defaultChoices, ...choices },
    rules: { ...defaultRules, ...rules },
    open,
  }
}

async function certified(tls: GreetingOptions['tls'] = false): Promise<Tls | undefined> {
  if (tls === false) return undefined
  const { key, cert, clientCa } = tls === true ? {} : tls
  const own = key === undefined || cert === undefined ? await makeCertificate() : { key, cert }
  return { ...own, ...(clientCa === undefined ? {} : { clientCa }) }
}

/** The service as grpc-js wants it; what is read and written goes through the rules. */
function definitionOf({ options: { service }, rules }: GreetingContext): ServiceDefinition {
  return {
    [method.name]: {
      path: `/${service}/${method.name}`,
      requestStream: method.requestStream,
      responseStream: method.responseStream,
      requestSerialize: (request: GreetingRequest) => asBuffer(encodeGreetingRequest(request)),
      requestDeserialize: (bytes: Buffer) => rules.decode(bytes),
      responseSerialize: (sent: SentGreeting) =>
        asBuffer(sent instanceof Uint8Array ? sent : rules.encode(sent)),
      responseDeserialize: decodeGreetingResponse,
    },
  }
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The part of a target file that gives everything of a started server. Certificates are PEM texts; a file names files. */
export function targetOf({ address, ca, options: { service, token }, choices }: GreetingServer) {
  // Only where each request is answered, whatever it holds.
  const { pairing, emptyName, missingId, repeatedId } = choices
  const isPaired =
    pairing === 'one' && [emptyName, missingId, repeatedId].every((choice) => choice !== 'skip')
  return {
    greeting: {
      address,
      service,
      ...(token === undefined ? {} : { metadata: { authorization: `Bearer ${token}` } }),
      ...(ca === undefined ? {} : { tls: { ca } }),
      ...(isPaired ? { relationship: 'one-to-one' as const } : {}),
    },
  }
}
