// A typed client of the image API. openapi-fetch checks paths, parameters and bodies against the
// types of the contract when the program is compiled.
//
//   const client = imagesClient('https://images.example/client/v4', process.env.API_TOKEN ?? '')
import createClient, { type Client } from 'openapi-fetch'
import type { ErrorEnvelope, Image, paths } from 'touchstone/images'

export const imagesClient = (baseUrl: string, token: string): Client<paths> =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })

/** Uploads a file, and returns its image. Throws with the error codes of the response. */
export async function upload(client: Client<paths>, account: string, file: File): Promise<Image> {
  const { data, error, response } = await client.POST('/accounts/{account_id}/images/v1', {
    params: { path: { account_id: account } },
    body: { file },
    // The runtime writes the Content-Type header, because only it knows the boundary.
    bodySerializer: () => {
      const form = new FormData()
      form.append('file', file)
      return form
    },
  })
  if (data === undefined) throw refusal(error, response)
  return data.result
}

/** Yields the images of an account, page by page. */
export async function* images(client: Client<paths>, account: string): AsyncGenerator<Image> {
  for (let page = 1; ; page += 1) {
    const { data, error, response } = await client.GET('/accounts/{account_id}/images/v2', {
      params: { path: { account_id: account }, query: { page, per_page: 100 } },
    })
    if (data === undefined) throw refusal(error, response)
    yield* data.result.images
    if (data.result.images.length < 100) return
  }
}

function refusal({ errors }: ErrorEnvelope, { status }: Response): Error {
  return new Error(
    `HTTP ${status}: ${errors.map(({ code, message }) => `${code} ${message}`).join(', ')}`,
  )
}
