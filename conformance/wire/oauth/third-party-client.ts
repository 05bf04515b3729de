import { missingResponse } from '../missing-response.ts'
import type { AuthorizationServer, Client, ClientAuth, JsonValue } from 'oauth4webapi'
import type { HttpExchange } from '../exchange.ts'
import type { HttpRequest } from '../http-request.ts'

/**
 * Why a step failed:
 *
 * - `unanswered`: there was no readable response;
 * - `refused`: the server reported an OAuth error;
 * - `secret-lifetime`: a registration has no usable `client_secret_expires_at`;
 * - `unusable`: the client rejects something else.
 */
export type StepProblemCode = 'unanswered' | 'refused' | 'secret-lifetime' | 'unusable'

/** The result of a step, or what the client rejects. */
export type StepResult<T> = { value: T } | { code: StepProblemCode; problem: string }

/** An authorization request that the client has prepared for its user. */
export interface StartedAuthorization {
  url: string
  state: string
  verifier: string
  challenge: string
}

/** The credentials of a client. */
interface RegisteredClient {
  id: string
  secret?: string | undefined
  method?: string | undefined
}

interface ReceivedTokens {
  access: string
  refresh: string | undefined
}

/** The endpoints that are known before the metadata is read. */
export interface KnownEndpoints {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint: string
}

export interface ThirdPartyClientOptions {
  send(request: HttpRequest): Promise<HttpExchange>
  endpoints: KnownEndpoints
}

/** The URLs that the client uses. */
const endpointNames = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const

/** Thrown if there was no readable response. */
class NoResponseError extends Error {}

/** Thrown if the metadata contains a value that is not the URL of an endpoint. */
class InvalidUrlError extends Error {
  constructor(name: string) {
    super(`${name} is not a URL`)
  }
}

/**
 * An OAuth 2.1 client by another author: oauth4webapi. The library validates responses by its own
 * rules, and this class returns what the library rejects. The suite's HTTP client sends the
 * requests.
 */
export class ThirdPartyClient {
  private readonly oauth: typeof import('oauth4webapi')
  private readonly send: ThirdPartyClientOptions['send']
  private server: AuthorizationServer
  private client: Client = { client_id: '' }
  private clientAuth: ClientAuth

  private constructor(
    oauth: typeof import('oauth4webapi'),
    { send, endpoints }: ThirdPartyClientOptions,
  ) {
    this.oauth = oauth
    this.send = send
    this.server = { ...endpoints }
    this.clientAuth = oauth.None()
  }

  /** Loads the library on first use. */
  static async open(options: ThirdPartyClientOptions): Promise<ThirdPartyClient> {
    return new ThirdPartyClient(await import('oauth4webapi'), options)
  }

  /**
   * Reads the metadata of a server. Endpoints that are not in the metadata keep their known URLs.
   */
  discover(issuer: string, algorithm: 'oauth2' | 'oidc'): Promise<StepResult<void>> {
    return this.step(async () => {
      const answer = await this.oauth.discoveryRequest(new URL(issuer), {
        algorithm,
        ...this.requestOptions('server metadata'),
      })
      this.server = {
        ...this.server,
        ...(await this.oauth.processDiscoveryResponse(new URL(issuer), answer)),
      }
      for (const name of endpointNames)
        if (!URL.canParse(String(this.server[name]))) throw new InvalidUrlError(name)
    })
  }

  register(metadata: Readonly<Record<string, unknown>>): Promise<StepResult<RegisteredClient>> {
    return this.step(async () => {
      const answer = await this.oauth.dynamicClientRegistrationRequest(
        this.server,
        metadata as Record<string, JsonValue>,
        this.requestOptions('register'),
      )
      const {
        client_id: id,
        client_secret: secret,
        token_endpoint_auth_method: method,
      } = await this.oauth.processDynamicClientRegistrationResponse(answer)
      const registered = {
        id,
        secret: typeof secret === 'string' ? secret : undefined,
        method: typeof method === 'string' ? method : undefined,
      }
      this.useCredentials(registered)
      return registered
    })
  }

  /** Uses a client that is already registered. */
  useCredentials({ id, secret, method }: RegisteredClient): void {
    const { None, ClientSecretBasic, ClientSecretPost } = this.oauth
    this.client = { client_id: id }
    this.clientAuth =
      secret === undefined
        ? None()
        : method === 'client_secret_post'
          ? ClientSecretPost(secret)
          : ClientSecretBasic(secret)
  }

  async startAuthorization(
    redirectUri: string,
    more: Readonly<Record<string, string | undefined>>,
  ): Promise<StartedAuthorization> {
    const state = this.oauth.generateRandomState()
    const verifier = this.oauth.generateRandomCodeVerifier()
    const challenge = await this.oauth.calculatePKCECodeChallenge(verifier)
    const url = new URL(this.server.authorization_endpoint!)
    const parameters = {
      response_type: 'code',
      client_id: this.client.client_id,
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    }
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(name, value)
    return { url: url.href, state, verifier, challenge }
  }

  /**
   * Validates the redirect of the user. Accepts any issuer in the redirect if no metadata was read.
   */
  readRedirect(
    back: URL,
    { state }: StartedAuthorization,
    isDiscovered: boolean,
  ): Promise<StepResult<URLSearchParams>> {
    const issuer = isDiscovered ? null : back.searchParams.get('iss')
    // A client ignores unknown parameters (OAuth 2.1 §4.1.2). This library knows some parameters of
    // OpenID Connect, and rejects them.
    const known = new URLSearchParams(
      [...back.searchParams].filter(([name]) => !ignoredParameters.includes(name)),
    )
    return this.step(async () =>
      this.oauth.validateAuthResponse(
        issuer === null ? this.server : { ...this.server, issuer },
        this.client,
        known,
        state,
      ),
    )
  }

  exchangeCode(
    back: URLSearchParams,
    redirectUri: string,
    { verifier }: StartedAuthorization,
  ): Promise<StepResult<ReceivedTokens>> {
    return this.step(async () => {
      const answer = await this.oauth.authorizationCodeGrantRequest(
        this.server,
        this.client,
        this.clientAuth,
        back,
        redirectUri,
        verifier,
        this.requestOptions('token'),
      )
      const { access_token: access, refresh_token: refresh } =
        await this.oauth.processAuthorizationCodeResponse(this.server, this.client, answer)
      return { access, refresh }
    })
  }

  refresh(token: string): Promise<StepResult<ReceivedTokens>> {
    return this.step(async () => {
      const answer = await this.oauth.refreshTokenGrantRequest(
        this.server,
        this.client,
        this.clientAuth,
        token,
        this.requestOptions('refresh'),
      )
      const { access_token: access, refresh_token: refresh } =
        await this.oauth.processRefreshTokenResponse(this.server, this.client, answer)
      return { access, refresh }
    })
  }

  /**
   * Requests a resource with a token, and returns the status. Does not read the body of a 2xx
   * response, which may be an endless event stream.
   */
  callResource(
    token: string,
    { method, url, headers = {}, body }: HttpRequest,
  ): Promise<StepResult<number>> {
    return this.step(async () => {
      const text = body?.kind === 'json' ? JSON.stringify(body.value) : undefined
      const sent = new Headers({
        ...headers,
        ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      })
      const { status } = await this.oauth.protectedResourceRequest(
        token,
        method,
        new URL(url),
        sent,
        text,
        this.requestOptions('resource', 'of refusals'),
      )
      return status
    })
  }

  /** Options with which the library sends a request through the suite's HTTP client. */
  private requestOptions(
    operation: string,
    readBody: NonNullable<HttpRequest['readBody']> = 'all',
  ) {
    return {
      [this.oauth.allowInsecureRequests]: true,
      [this.oauth.customFetch]: async (
        url: string,
        {
          method,
          headers,
          body,
        }: { method: string; headers: Record<string, string>; body?: unknown },
      ): Promise<Response> => {
        const { 'content-type': type = 'application/octet-stream', ...others } = headers
        const text = body === undefined || body === null ? undefined : String(body)
        const exchange = await this.send({
          operation,
          method,
          url,
          headers: others,
          readBody,
          ...(text === undefined ? {} : { body: { kind: 'text', text, type } }),
        })
        return responseOf(exchange)
      },
    }
  }

  /** If the library rejects something, returns it as a problem. Rethrows all other errors. */
  private async step<T>(work: () => Promise<T>): Promise<StepResult<T>> {
    const {
      OperationProcessingError,
      ResponseBodyError,
      AuthorizationResponseError,
      WWWAuthenticateChallengeError,
      UnsupportedOperationError,
    } = this.oauth
    try {
      return { value: await work() }
    } catch (error) {
      if (error instanceof NoResponseError) return { code: 'unanswered', problem: error.message }
      if (error instanceof InvalidUrlError || isInvalidUrl(error))
        return { code: 'unusable', problem: error.message }
      if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
        return {
          code: 'refused',
          problem: `${error.message}: ${[error.error, error.error_description ?? ''].join(' ').trim()}`,
        }
      if (
        [OperationProcessingError, WWWAuthenticateChallengeError, UnsupportedOperationError].some(
          (kind) => error instanceof kind,
        )
      )
        return { code: codeOf(error as Error), problem: (error as Error).message }
      throw error
    }
  }
}

/** Whether the library could not parse a URL that the server returned, such as its issuer. */
const isInvalidUrl = (error: unknown): error is Error =>
  error instanceof TypeError && (error as { code?: unknown }).code === 'ERR_INVALID_URL'

/** The library names the rejected member only in its message. */
const codeOf = ({ message }: Error): StepProblemCode =>
  message.includes('client_secret_expires_at') ? 'secret-lifetime' : 'unusable'

/** Parameters of OpenID Connect and similar extensions. They are removed from a redirect. */
const ignoredParameters: readonly string[] = ['id_token', 'token', 'response']

/**
 * Converts a response for the library. Removes `id_token`, which is not part of OAuth, and members
 * that are null, because some servers send null for a member without a value.
 */
function responseOf({ status, headers, body, json, failure }: HttpExchange): Response {
  if (status === undefined || status < 200 || status > 599)
    throw new NoResponseError(missingResponse(failure ?? status?.toString()))
  const isEmpty = [204, 205, 304].includes(status)
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  const text = isObject
    ? JSON.stringify(
        Object.fromEntries(
          Object.entries(json).filter(([name, value]) => value !== null && name !== 'id_token'),
        ),
      )
    : new Uint8Array(body)
  return new Response(isEmpty ? null : text, {
    status,
    headers: headers.filter(
      ([name]) => !/^(content-encoding|content-length|transfer-encoding)$/i.test(name),
    ),
  })
}
