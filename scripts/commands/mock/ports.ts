import { mockOf } from '../../../mocks/registry.ts'
import { UsageError } from '../../complain.ts'

/** The port of each host of each mock. */
export type Ports = Record<string, Record<string, number>>

/**
 * Plans the ports: those of the mocks themselves, or a row from `5000` on over all named mocks, or one from `images=5000` on over
 * one mock; `delivery=8080` then settles a single host. In a row that starts at 0 every port is a free one.
 */
export async function plannedPorts(
  names: readonly string[],
  given: readonly string[],
): Promise<Ports> {
  const ports: Ports = Object.fromEntries(
    names.map((name) => [name, row(name, mockOf(name).firstPort)]),
  )
  for (const { name, port } of given.map(parsed)) {
    if (name !== undefined) continue
    let next = port
    for (const mock of names) {
      ports[mock] = row(mock, next)
      if (port > 0) next += mockOf(mock).hosts.length
    }
  }
  for (const { name, port } of given.map(parsed)) {
    if (name === undefined) continue
    if (names.includes(name)) ports[name] = row(name, port)
  }
  for (const { name, port } of given.map(parsed)) {
    if (name === undefined || names.includes(name)) continue
    const owner = names.find((mock) => mockOf(mock).hosts.includes(name))
    if (owner === undefined) throw await unknown(name, names)
    ports[owner]![name] = port
  }
  return checked(ports)
}

function row(name: string, first: number): Record<string, number> {
  return Object.fromEntries(
    mockOf(name).hosts.map((host, index) => [host, first === 0 ? 0 : first + index]),
  )
}

function parsed(text: string): { name: string | undefined; port: number } {
  const found = /^(?:([^=]+)=)?(\d{1,5})$/.exec(text)
  if (found === null || Number(found[2]) > 65535)
    throw new UsageError(`--port ${text} is neither a port nor HOST=PORT; ports go from 0 to 65535`)
  return { name: found[1], port: Number(found[2]) }
}

function checked(ports: Ports): Ports {
  const taken = new Map<number, string>()
  for (const [name, hosts] of Object.entries(ports)) {
    for (const [host, port] of Object.entries(hosts)) {
      const label = `the ${host} host of ${name}`
      if (port > 65535)
        throw new UsageError(
          `the row of ports ends above 65535: ${label} would get ${port}. Start it lower`,
        )
      const other = taken.get(port)
      if (port > 0 && other !== undefined)
        throw new UsageError(
          `port ${port} is meant for ${other} and for ${label}. Give one of them another with --port ${host}=PORT`,
        )
      taken.set(port, label)
    }
  }
  return ports
}

async function unknown(name: string, names: readonly string[]): Promise<UsageError> {
  const known = [...names, ...names.flatMap((mock) => mockOf(mock).hosts)]
  const { nearest } = await import('../../../conformance/target-file/nearest.ts')
  const meant = nearest(name, known)
  return new UsageError(
    `--port ${name}=… names no host.${meant === undefined ? '' : ` Did you mean ${meant}?`} Known: ${known.join(', ')}`,
  )
}
