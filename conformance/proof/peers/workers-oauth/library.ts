import { register } from 'node:module'
import type * as WorkersOAuth from '@cloudflare/workers-oauth-provider'
import { withoutWarning } from '../without-warning.ts'

// The package imports a class from a module of the Workers runtime, but uses it only to recognize
// handlers that extend it. This hook of the module loader provides that module in Node.js.
const workersModule = `data:text/javascript,${encodeURIComponent('export class WorkerEntrypoint {}')}`
const hook = `data:text/javascript,${encodeURIComponent(`
export const resolve = (specifier, context, next) =>
  specifier === 'cloudflare:workers'
    ? { url: ${JSON.stringify(workersModule)}, shortCircuit: true }
    : next(specifier, context)`)}`

let loading: Promise<typeof WorkersOAuth> | undefined

/**
 * Loads the package @cloudflare/workers-oauth-provider. Suppresses its warning that documents of
 * client metadata are off, because the Workers runtime alone can turn them on.
 */
export function loadLibrary(): Promise<typeof WorkersOAuth> {
  return (loading ??= withoutWarning(/^CIMD /, () => {
    register(hook)
    return import('@cloudflare/workers-oauth-provider')
  }))
}
