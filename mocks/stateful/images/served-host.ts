import { hidden } from '../../serving/log.ts'
import type { ServedHost } from '../../serving/serving.ts'
import type { ImagesHost } from './routes.ts'

/** How the request log describes a host. The path of an upload URL is a secret. */
export const servedHost = (host: ImagesHost): ServedHost => ({
  name: `images/${host}`,
  ...(host === 'upload'
    ? { hidePath: (path: string) => (path.startsWith('/_touchstone/') ? path : `/${hidden}`) }
    : {}),
})
