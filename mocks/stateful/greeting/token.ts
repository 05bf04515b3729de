import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'
import type { GreetingContext } from './call.ts'
import { healthService } from './health.ts'

/** Refuses calls without the token, except health checks. */
export function newTokenInterceptor({
  options: { token },
  choices,
  rules,
}: GreetingContext): ServerInterceptor {
  return (method, call) => {
    if (token === undefined || method.path.startsWith(`/${healthService}/`))
      return new ServerInterceptingCall(call)
    return new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, nextMetadata) {
            if (rules.acceptsToken(metadata.get('authorization')[0]?.toString(), token))
              nextMetadata(metadata)
            else
              call.sendStatus({
                code: choices.unauthenticatedStatus,
                details: 'a valid bearer token is required',
              })
          },
        })
      },
    })
  }
}
