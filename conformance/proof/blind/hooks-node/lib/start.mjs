// Starts the API server and the trigger server.
import http from 'node:http'
import { randomBytes } from 'node:crypto'
import { run, on } from './registry.mjs'
import { Store } from './store.mjs'
import { makeProjects } from './projects.mjs'
import { Sender } from './sender.mjs'
import { apiHandler } from './api.mjs'
import { happen } from './events.mjs'

const listen = (handler) =>
  new Promise((resolve) => {
    const server = http.createServer(handler)
    server.keepAliveTimeout = 2000
    server.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })

export async function start() {
  const token = `pat-${randomBytes(12).toString('base64url')}Aa`
  const projects = makeProjects()
  const [first, second] = [...projects.values()]
  const store = new Store(first)
  const sender = new Sender(store, first, second, token)
  const prefix = run('prefix', on('served-below-a-prefix') ? '/git/api/v4' : '/api/v4')
  const apiPort = await listen(
    apiHandler({ prefix, token, projects, store, sender, first, second }),
  )
  const triggerPort = await listen(triggerHandler(projects, sender))
  return {
    baseUrl: `http://127.0.0.1:${apiPort}${prefix}`,
    project: first.id,
    otherProject: second.id,
    token,
    triggerUrl: `http://127.0.0.1:${triggerPort}/trigger`,
  }
}

function triggerHandler(projects, sender) {
  return async (req, res) => {
    const answer = (status, text = '') => {
      res.writeHead(status, text ? { 'Content-Type': 'text/plain' } : {})
      res.end(text)
    }
    if (req.url !== '/trigger') return answer(404, 'only /trigger\n')
    if (req.method !== 'POST') return answer(405, 'POST only\n')
    try {
      const parts = []
      for await (const part of req) parts.push(part)
      const order = JSON.parse(Buffer.concat(parts).toString('utf8'))
      const project = projects.get(order.project)
      if (!project) return answer(400, 'unknown project\n')
      const events = happen(project, order.event, order.action)
      if (!events) return answer(400, 'unknown event or action\n')
      answer(204)
      for (const event of events) sender.fire(project, event)
    } catch (error) {
      answer(400, `${error.message}\n`)
    }
    return undefined
  }
}
