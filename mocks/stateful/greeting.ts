import { Server, type ServiceDefinition } from '@grpc/grpc-js'
import {
  bidirectionalGreeting as method,
  encodeGreetingRequest,
  decodeGreetingResponse,
  type GreetingRequest,
} from '../../generated/greeting/index.ts'
import { newDisturber } from '../serving/disturb.ts'
import { makeCertificate } from '../serving/certificate.ts'
import type { Serving } from '../serving/serving.ts'
import type {
  GreetingMiddleware,
  GreetingCall,
  GreetingContext,
  StreamMiddleware,
  ResolvedGreetingOptions,
} from './greeting/call.ts'
import { defaultChoices, type GreetingChoices } from './greeting/choices.ts'
import { addHealth, healthService } from './greeting/health.ts'
import { newHost, type Tls } from './greeting/host.ts'
import { addReflection } from './greeting/reflection.ts'
import { defaultRules, type GreetingRules } from './greeting/rules.ts'
import { serve } from './greeting/serve.ts'
import { newShapingMiddleware } from './greeting/shaping.ts'
import { newStreamLog } from './greeting/stream-log.ts'
import type { SentGreeting, Stream } from './greeting/stream.ts'
import { newTokenInterceptor } from './greeting/token.ts'

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
  /** The full name of the service, in the package examples; by default examples.GreetingService. */
  service?: string
  /** 0 lets the system choose a free port. */
  port?: number
  /** The bearer token that callers must send; by default none is required. */
  token?: string
  /**
   * True for a self-signed certificate. With `clientCa`, callers must present a certificate that
   * this authority signed.
   */
  tls?: boolean | Partial<Tls>
  /** What the contract leaves open; by default `defaultChoices`. */
  choices?: Partial<GreetingChoices>
  /** Replaces rules of the contract, to build a server with a deliberate defect. */
  rules?: Partial<GreetingRules>
  /** Wraps every stream of the method, to build a server with a deliberate defect. */
  around?: GreetingMiddleware
  /** Intercepts HTTP/2 streams before gRPC, to build a server with a deliberate defect. */
  intercept?: StreamMiddleware
  /** Delay of every response, in milliseconds. */
  delayMs?: number | (() => number)
  /** The time for `server_timestamp` in milliseconds since the epoch; by default the real time. */
  now?: () => number
  /** What `touchstone mock` adds to the server. */
  serving?: Serving
}

export interface GreetingServer {
  /** Host and port. */
  address: string
  /** The full name of the service. */
  service: string
  /** The certificate that callers must trust, as PEM; undefined without TLS. */
  ca: string | undefined
  options: ResolvedGreetingOptions
  choices: GreetingChoices
  /** Passed to handlers and faults as `call.server`. */
  context: GreetingContext
  /** Closes the server and all streams at once. */
  close(): Promise<void>
}

/**
 * Starts the greeting service on a port of the loopback address. If the port is in use, rejects
 * with an error that has a `code` and the `port`.
 */
export async function startGreeting({
  port = 0,
  around,
  intercept = (_stream, _headers, next) => next(),
  serving: { onRequest, disturbance, hostname } = {},
  ...options
}: GreetingOptions = {}): Promise<GreetingServer> {
  const open = new Set<GreetingCall>()
  const context = newContext(
    disturbance === undefined
      ? options
      : { ...options, delayMs: newDisturber('greeting', disturbance).nextDelay },
    open,
  )
  const {
    choices,
    options: { service },
  } = context
  const grpc = new Server({
    'grpc.max_receive_message_length': choices.maxReceiveBytes,
    'grpc.max_send_message_length': -1,
    // The statistics of channelz are not used.
    'grpc.enable_channelz': 0,
    interceptors: context.options.token === undefined ? [] : [newTokenInterceptor(context)],
  })
  grpc.addService(definitionOf(context), {
    [method.name]: (stream: Stream) => void serve(stream, context, open, around),
  })
  if (choices.health) addHealth(grpc, [service, healthService])
  await addReflection(grpc, service, choices)

  const tls = await resolveTls(options.tls)
  const host = newHost(grpc, {
    maxStreams: choices.maxStreams,
    tls,
    hostname,
    intercept: newShapingMiddleware(choices, intercept),
    ...(onRequest === undefined ? {} : { onStream: newStreamLog(onRequest) }),
  })
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
    now = Date.now,
    choices,
    rules,
  }: GreetingOptions,
  open: ReadonlySet<GreetingCall>,
): GreetingContext {
  return {
    options: {
      service,
      token,
      delayMs: typeof delayMs === 'function' ? delayMs : delayMs > 0 ? () => delayMs : undefined,
    },
    now,
    choices: { ...defaultChoices, ...choices },
    rules: { ...defaultRules, ...rules },
    openCalls: open,
  }
}

async function resolveTls(tls: GreetingOptions['tls'] = false): Promise<Tls | undefined> {
  if (tls === false) return undefined
  const { key, cert, clientCa } = tls === true ? {} : tls
  const own = key === undefined || cert === undefined ? await makeCertificate() : { key, cert }
  return { ...own, ...(clientCa === undefined ? {} : { clientCa }) }
}

/** The service definition for grpc-js. The rules decode requests and encode responses. */
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

/**
 * The part of a target file that describes a started server. It contains certificates as PEM, but a
 * target file contains their file names.
 */
export function targetOf({ address, ca, options: { service, token }, choices }: GreetingServer) {
  // Each request gets exactly one response only if the server skips no request.
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
