import { mockOf } from '../../../mocks/registry.ts'
import { UsageError } from '../../print-error.ts'

/** The port of each host of each mock. */
export type Ports = Record<string, Record<string, number>>

/**
 * Assigns a port to each host, which is one server of a mock. By default, every mock has its own
 * ports. `options` are the values of --port, or of the variable that `source` names: `5000` assigns
 * consecutive ports to all named mocks, `images=5000` to the hosts of one mock, and `delivery=8080`
 * sets the port of one host. Port 0 means any free port.
 */
export async function planPorts(
  names: readonly string[],
  options: readonly string[],
  source = '--port',
): Promise<Ports> {
  const parsed = options.map((text) => parsePort(text, source))
  const ports: Ports = Object.fromEntries(
    names.map((name) => [name, consecutivePorts(name, mockOf(name).firstPort)]),
  )
  for (const { name, port } of parsed) {
    if (name !== undefined) continue
    let next = port
    for (const mock of names) {
      ports[mock] = consecutivePorts(mock, next)
      if (port > 0) next += mockOf(mock).hosts.length
    }
  }
  for (const { name, port } of parsed) {
    if (name === undefined) continue
    if (names.includes(name)) ports[name] = consecutivePorts(name, port)
  }
  for (const { name, port } of parsed) {
    if (name === undefined || names.includes(name)) continue
    const owner = names.find((mock) => mockOf(mock).hosts.includes(name))
    if (owner === undefined) throw await unknownHost(name, names, source)
    ports[owner]![name] = port
  }
  return requireDistinct(ports)
}

function consecutivePorts(name: string, first: number): Record<string, number> {
  return Object.fromEntries(
    mockOf(name).hosts.map((host, index) => [host, first === 0 ? 0 : first + index]),
  )
}

function parsePort(text: string, source: string): { name: string | undefined; port: number } {
  const found = /^(?:([^=]+)=)?(\d{1,5})$/.exec(text)
  if (found === null || Number(found[2]) > 65535)
    throw new UsageError(
      `${source} ${text} is neither a port nor NAME=PORT; ports are numbers from 0 to 65535`,
    )
  return { name: found[1], port: Number(found[2]) }
}

function requireDistinct(ports: Ports): Ports {
  const used = new Map<number, string>()
  for (const [name, hosts] of Object.entries(ports)) {
    for (const [host, port] of Object.entries(hosts)) {
      const label = `the ${host} host of ${name}`
      if (port > 65535)
        throw new UsageError(
          `the ports end above 65535: ${label} would have port ${port}. Choose a lower first port`,
        )
      const other = used.get(port)
      if (port > 0 && other !== undefined)
        throw new UsageError(
          `port ${port} is assigned to ${other} and to ${label}. Choose another port for one of them with --port ${mockOf(name).hosts.length === 1 ? name : host}=PORT`,
        )
      used.set(port, label)
    }
  }
  return ports
}

async function unknownHost(
  name: string,
  names: readonly string[],
  source: string,
): Promise<UsageError> {
  const known = [...names, ...names.flatMap((mock) => mockOf(mock).hosts)]
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const suggestion = nearest(name, known)
  return new UsageError(
    `${source} ${name}=…: there is no mock or server of that name.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`} Known: ${known.join(', ')}`,
  )
}
