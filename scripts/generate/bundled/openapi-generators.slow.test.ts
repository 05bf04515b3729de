// Other generators accept the bundled OpenAPI documents, and their code compiles. `use` is code of
// a user of the generated types, so the types must have the names and the members that it uses.
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { generate as generateWithOrval } from 'orval'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  bundledFile,
  newWorkspace,
  openapiNames,
  typeErrors,
  type Workspace,
} from './compile.testing.ts'

let workspace: Workspace
beforeEach(() => {
  workspace = newWorkspace()
})
afterEach(() => workspace.remove())

it('compiles nothing that is wrong', () => {
  const file = workspace.write('wrong.ts', `export const id: string = 7\n`)
  expect(typeErrors([file]).join()).toContain("Type 'number' is not assignable to type 'string'")
})

it('openapi-typescript and openapi-fetch accept every document', async () => {
  for (const name of openapiNames) {
    const nodes = await openapiTS(pathToFileURL(bundledFile(`${name}.json`)), { silent: true })
    workspace.write(`${name}.ts`, astToString(nodes))
  }
  const use = workspace.write(
    'use.ts',
    `import createClient from 'openapi-fetch'
import type { components as account, paths } from './images-account'
import type { operations as batch } from './images-batch'
import type { operations as upload } from './images-upload'
import type { components as hooks, paths as hookPaths } from './hooks'
import type { components as auth } from './auth'

export const idOf = (image: account['schemas']['Image']): string => image.id
export const urlOf = (hook: hooks['schemas']['HookInput']): string => hook.url
export const tokenOf = (body: auth['schemas']['TokenResponse']): string => body.access_token
export type Operations = [batch['batchUploadImage'], upload['completeDirectUpload']]

const images = createClient<paths>({ baseUrl: 'https://api.example/client/v4' })
export async function nameOf(account_id: string, image_id: string): Promise<string | undefined> {
  const { data, error } = await images.GET('/accounts/{account_id}/images/v1/{image_id}', {
    params: { path: { account_id, image_id } },
  })
  if (error !== undefined) throw new Error(error.errors[0]?.message)
  return data.result.filename
}
const hookClient = createClient<hookPaths>({ baseUrl: 'https://repositories.example/api/v4' })
export const created = hookClient.POST('/projects/{id}/hooks', {
  params: { path: { id: 'group%2Fproject' } },
  body: { url: 'https://receiver.example/', push_events: true, enable_ssl_verification: true },
})
`,
  )
  expect(typeErrors([use])).toEqual([])
})

it('@hey-api/openapi-ts accepts every document', async () => {
  for (const name of openapiNames)
    await createClient({
      input: bundledFile(`${name}.json`),
      output: { path: join(workspace.folder, name) },
      logs: { level: 'silent' },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    })
  const use = workspace.write(
    'use.ts',
    `import { getImage, type Image, type UploadForm } from './images-account/index'
import { batchUploadImage } from './images-batch/index'
import { completeDirectUpload } from './images-upload/index'
import { createHook, type HookInput } from './hooks/index'
import { token, type TokenResponse } from './auth/index'

export const idOf = (image: Image): string => image.id
export const form: UploadForm = { url: 'https://images.example/a.png' }
export const urlOf = (hook: HookInput): string => hook.url
export const tokenOf = (body: TokenResponse): string => body.access_token
export const operations = [batchUploadImage, completeDirectUpload, createHook, token]
export async function nameOf(account_id: string, image_id: string): Promise<string | undefined> {
  const { data } = await getImage({ path: { account_id, image_id } })
  return data?.result.filename
}
`,
  )
  expect(typeErrors([use])).toEqual([])
})

it.each(['fetch', 'axios-functions'] as const)(
  'Orval accepts every document, for the client %s',
  async (client) => {
    // Orval does not throw, but prints its errors.
    const printed: string[] = []
    const spies = (['log', 'info', 'error', 'warn'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation((...words) => {
        printed.push(words.join(' '))
      }),
    )
    try {
      for (const name of openapiNames)
        await generateWithOrval({
          input: { target: bundledFile(`${name}.json`) },
          output: {
            target: join(workspace.folder, `${name}.ts`),
            client,
            mode: 'single',
          },
        })
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    expect(printed.join('\n')).not.toMatch(/error|🛑/i)
    if (client !== 'fetch')
      workspace.write(
        'axios.d.ts',
        `declare module 'axios' {
  export type AxiosRequestConfig = { headers?: object; params?: object }
  export type AxiosResponse<T> = { data: T; status: number }
  const axios: { [method: string]: <T>(...parameters: unknown[]) => Promise<T> }
  export default axios
}
`,
      )
    const use = workspace.write(
      'use.ts',
      `${client === 'fetch' ? '' : `/// <reference path="./axios.d.ts" />\n`}import { getImage, type Image, type UploadForm } from './images-account'
import { batchUploadImage } from './images-batch'
import { completeDirectUpload } from './images-upload'
import { createHook, type HookInput } from './hooks'
import { protectedResource, token, type TokenResponse } from './auth'

export const idOf = (image: Image): string => image.id
export const form: UploadForm = { url: 'https://images.example/a.png' }
export const urlOf = (hook: HookInput): string => hook.url
export const tokenOf = (body: TokenResponse): string => body.access_token
export const operations = [
  getImage,
  batchUploadImage,
  completeDirectUpload,
  createHook,
  token,
  protectedResource,
]
`,
    )
    expect(typeErrors([use])).toEqual([])
  },
)
