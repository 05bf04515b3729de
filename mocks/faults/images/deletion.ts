import type { Fault } from '../fault.ts'

export const deletion: readonly Fault[] = [
  {
    name: 'deleted-image-stays-readable',
    says: 'A deleted image leaves the list but is still read.',
    violates: ['IMG-DELETE-02'],
    make: (hit) => ({
      around: async (call, next) => {
        if (call.operation !== 'deleteImage') return next()
        const image = call.server.store.get(call.params['image_id'] ?? '')
        const reply = await next()
        if (image !== undefined && reply.status === 200) {
          hit()
          call.server.store.add({ ...image }, { list: false })
        }
        return reply
      },
    }),
  },
]
