import type { HooksFactor } from './variation.ts'
import { changeRecords, changeSuccesses } from './building.ts'

/** Choices about the response to a creation. */
export const records: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-CONFIG-22',
    name: 'place of the hook in a response',
    values: [
      { name: 'the body', description: 'Returns the record as the body.' },
      {
        name: 'a field of the body',
        description: 'Returns the record in a field.',
        choices: { record: 'nested' },
      },
      {
        name: 'none, but the Location header contains the URL of the hook',
        description: 'Returns no body, and the URL of the record in Location.',
        choices: { record: 'location' },
      },
    ],
  },
  {
    requirement: 'HOOK-CONFIG-22',
    name: 'form of the hook in a response',
    values: [
      {
        name: 'all fields of the request except token',
        description: 'Returns the fields of the hook without the token.',
      },
      {
        name: 'only id',
        description: 'Returns only the id.',
        deviation: changeRecords(({ id }) => ({ id })),
      },
      {
        name: 'all fields of the request except token, plus the project and a user',
        description: 'Returns the project and a user before the members of the hook.',
        deviation: changeRecords((record) => ({
          project: { id: 7, url: 'https://git.example.com/p' },
          user: { id: 'u-1' },
          ...record,
          token_set: true,
        })),
      },
      {
        name: 'hook_id instead of id',
        notCombined: true,
        description: 'Returns the id of the hook as hook_id.',
        deviation: changeRecords(({ id, ...record }) => ({ ...record, hook_id: id })),
      },
      {
        name: 'all fields in an object attributes, as in JSON:API',
        notCombined: true,
        description: 'Returns the fields in attributes, like JSON:API.',
        deviation: changeRecords(({ id, ...attributes }) => ({
          data: { type: 'hook', id: String(id), attributes },
        })),
      },
      {
        name: 'all fields, in an array with one element',
        notCombined: true,
        description: 'Returns an array with one record.',
        deviation: changeRecords((record) => [record]),
      },
      {
        name: 'all fields of the request, with a masked token',
        notCombined: true,
        description: 'Returns all fields, with a masked token.',
        deviation: changeRecords((record) => ({ ...record, token: '********' })),
      },
      {
        name: 'event flags as 0 and 1',
        notCombined: true,
        description: 'Returns flags as 0 and 1.',
        deviation: changeRecords((record) =>
          Object.fromEntries(
            Object.entries(record).map(([name, value]) => [
              name,
              typeof value === 'boolean' ? Number(value) : value,
            ]),
          ),
        ),
      },
    ],
  },
  {
    requirement: 'HOOK-CONFIG-22',
    name: 'ids of hooks',
    values: [
      { name: 'numbers', description: 'Returns ids as numbers.' },
      {
        name: 'strings of digits',
        description: 'Returns ids as strings of digits.',
        choices: { hookIds: 'digits' },
      },
      { name: 'UUIDs', description: 'Returns UUIDs as ids.', choices: { hookIds: 'uuid' } },
    ],
  },
  {
    requirement: 'HOOK-CREATE-07',
    name: 'the response to a creation request',
    values: [
      { name: 'status 201', description: 'Returns 201.' },
      { name: 'status 200', description: 'Returns 200.', choices: { createdStatus: 200 } },
      {
        name: 'status 202',
        notCombined: true,
        description: 'Returns 202.',
        deviation: changeSuccesses('createHook', (reply) => ({ ...reply, status: 202 })),
      },
      {
        name: 'status 204 with a Location header',
        notCombined: true,
        description: 'Returns 204 with the URL of the record in Location.',
        choices: { record: 'location' },
        deviation: changeSuccesses('createHook', (reply) => ({ ...reply, status: 204 })),
      },
      {
        name: 'a success whose body does not contain the hook',
        notCombined: true,
        description: 'Returns a success with a body that does not contain the hook.',
        deviation: changeSuccesses('createHook', () => ({
          status: 201,
          body: { message: 'Created' },
        })),
      },
    ],
  },
]
