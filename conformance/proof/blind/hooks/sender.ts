import http from 'node:http'
import https from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface Answer {
  status: number
  body: string
  location?: string | undefined
  error?: string
}

export type Verify = 'yes' | 'no' | 'not-self-signed' | 'not-unknown-issuer'

export interface Letter {
  url: URL
  method: string
  headers: Record<string, string>
  body: Buffer
  verify: Verify
  timeout: number
  keepAlive?: boolean
  slowBody?: boolean
}

const forgiven: Record<string, readonly string[]> = {
  'not-self-signed': ['DEPTH_ZERO_SELF_SIGNED_CERT'],
  'not-unknown-issuer': [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_GET_ISSUER_CERT',
  ],
}

/** Sends one request to a receiver; never throws. */
export class Sender {
  private plain = new http.Agent({ keepAlive: true, timeout: 4000 })

  send(letter: Letter): Promise<Answer> {
    return new Promise((resolve) => {
      const { url, verify } = letter
      const fail = (error: string) => resolve({ status: 0, body: '', error })
      const secure = url.protocol === 'https:'
      const options: https.RequestOptions = {
        method: letter.method,
        headers: letter.headers,
        timeout: letter.timeout,
        agent: secure ? false : letter.keepAlive ? this.plain : false,
        rejectUnauthorized: verify === 'yes',
      }
      let req: http.ClientRequest
      try {
        req = secure ? https.request(url, options) : http.request(url, options)
      } catch (e) {
        fail(String(e))
        return
      }
      const timer = setTimeout(() => req.destroy(new Error('timeout')), letter.timeout)
      req.on('error', (e) => {
        clearTimeout(timer)
        fail(e.message)
      })
      req.on('response', (res) => {
        let body = ''
        res.setEncoding('utf8').on('data', (d) => {
          if (body.length < 4000) body += d
        })
        res.on('end', () => {
          clearTimeout(timer)
          resolve({ status: res.statusCode ?? 0, body, location: res.headers.location })
        })
        res.on('error', (e) => {
          clearTimeout(timer)
          fail(e.message)
        })
      })
      if (verify in forgiven) this.writeWhenForgiven(req, letter, forgiven[verify]!)
      else this.write(req, letter)
    })
  }

  private write(req: http.ClientRequest, letter: Letter): void {
    const { body } = letter
    if (letter.headers['Expect']) {
      const late = setTimeout(() => req.end(body), 1000)
      req.flushHeaders()
      req.on('continue', () => {
        clearTimeout(late)
        req.end(body)
      })
      req.on('close', () => clearTimeout(late))
    } else if (letter.slowBody) {
      req.write(body.subarray(0, body.length >> 1))
      setTimeout(() => req.end(body.subarray(body.length >> 1)), 200)
    } else if (letter.headers['Transfer-Encoding'] || letter.headers['transfer-encoding']) {
      req.write(body.subarray(0, 100))
      req.end(body.subarray(100))
    } else if (letter.method === 'GET' || body.length === 0) req.end()
    else req.end(body)
  }

  private writeWhenForgiven(req: http.ClientRequest, letter: Letter, ok: readonly string[]): void {
    if (letter.url.protocol !== 'https:') {
      this.write(req, letter)
      return
    }
    req.on('socket', (s) =>
      s.once('secureConnect', () => {
        const tls = s as TLSSocket
        const problem = String(tls.authorizationError ?? '')
        if (tls.authorized || ok.includes(problem)) this.write(req, letter)
        else req.destroy(new Error(problem))
      }),
    )
  }

  close(): void {
    this.plain.destroy()
  }
}
