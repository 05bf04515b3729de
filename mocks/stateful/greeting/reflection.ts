import type {
  Server,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'
import descriptor, { type IFileDescriptorProto } from 'protobufjs/ext/descriptor.js'
import { bidirectionalGreeting, descriptorSet } from '../../../generated/greeting/index.ts'
import type { GreetingChoices } from './choices.ts'
import { healthRoot } from './health.ts'

type ReflectionStream = ServerDuplexStream<unknown, unknown>
interface Service {
  version: 'v1' | 'v1alpha'
  definition: ServiceDefinition
  implementation: UntypedServiceImplementation
}

/**
 * Adds server reflection in the chosen versions. Reflection describes the greeting service under
 * the name `name`.
 */
export async function addReflection(
  server: Server,
  name: string,
  { reflection, health }: GreetingChoices,
): Promise<void> {
  if (reflection === 'none') return
  for (const { version, definition, implementation } of await servicesFor(name, health)) {
    if (reflection === 'both' || reflection === version)
      server.addService(definition, implementation)
  }
}

// The services are cached, because creating them reads files, and the tests start thousands of
// servers.
const serviceCache = new Map<string, Promise<readonly Service[]>>()

function servicesFor(name: string, health: boolean): Promise<readonly Service[]> {
  const key = `${name} ${health}`
  const services =
    serviceCache.get(key) ??
    makeServices([
      greetingFile(name),
      ...(health ? (healthRoot.toDescriptor('proto3').file ?? []) : []),
    ])
  serviceCache.set(key, services)
  return services
}

async function makeServices(files: readonly IFileDescriptorProto[]): Promise<Service[]> {
  const { ReflectionService } = await import('@grpc/reflection')
  const fileDescriptorProtos = files.map((file) =>
    Buffer.from(descriptor.FileDescriptorProto.encode(file).finish()),
  )
  const services: Service[] = []
  // The constructor expects a package that was loaded from .proto files, but reads only its
  // descriptors.
  new ReflectionService({ files: { fileDescriptorProtos } } as never).addToServer({
    addService(definition, implementation) {
      const version =
        Object.values(definition)[0]?.path.includes('.v1alpha.') === true ? 'v1alpha' : 'v1'
      services.push({ version, definition, implementation: withBackpressure(implementation) })
    },
  })
  return services
}

/**
 * The reflection package responds to requests even if the client does not read the responses. This
 * function adds backpressure.
 */
function withBackpressure({
  ServerReflectionInfo: serve,
}: UntypedServiceImplementation): UntypedServiceImplementation {
  return {
    ServerReflectionInfo(stream: ReflectionStream) {
      const write = stream.write.bind(stream) as (response: unknown) => boolean
      stream.write = (response: unknown) => {
        const hasRoom = write(response)
        if (!hasRoom) stream.pause().once('drain', () => stream.resume())
        return hasRoom
      }
      ;(serve as (stream: ReflectionStream) => void)(stream)
    },
  }
}

/** The descriptor of the contract's .proto file, with the service renamed. */
function greetingFile(name: string): IFileDescriptorProto {
  const [file] = descriptor.FileDescriptorSet.decode(descriptorSet()).file as IFileDescriptorProto[]
  const service = file!.service!.find((one) => one.name === bidirectionalGreeting.service)!
  service.name = name.slice(name.lastIndexOf('.') + 1)
  return file!
}
