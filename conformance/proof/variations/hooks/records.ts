import type { HooksFactor } from './variation.ts'
import { changeRecords as showing, changeSuccesses } from './building.ts'

/** What the response to a creation contains. */
export const records: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-CONFIG-22',
    name: 'location of the record',
    values: [
      { name: 'the body', description: 'Returns the record as the body.' },
      {
        name: 'a member',
        description: 'Returns the record in a member.',
        choices: { record: 'nested' },
      },
      {
        name: 'elsewhere',
        description: 'Returns only the URL of the record.',
        choices: { record: 'location' },
      },
    ],
  },
  {
    requirement: 'HOOK-CONFIG-22',
    name: 'the members of the record',
    values: [
      { name: 'the fields', description: 'Returns the requested fields without the token.' },
      {
        name: 'an id',
        description: 'Returns only the id.',
        deviation: showing(({ id }) => ({ id })),
      },
      {
        name: 'relations',
        description: 'Returns the project and its creator before the hook.',
        deviation: showing((record) => ({
          project: { id: 7, url: 'https://git.example.com/p' },
          user: { id: 'u-1' },
          ...record,
          token_set: true,
        })),
      },
      {
        name: 'hook_id',
        notCombined: true,
        description: 'Returns the id as hook_id, and the id of the project as id.',
        deviation: showing(({ id, ...record }) => ({ ...record, hook_id: id })),
      },
      {
        name: 'attributes',
        notCombined: true,
        description: 'Returns the fields in attributes, like JSON:API.',
        deviation: showing(({ id, ...attributes }) => ({
          data: { type: 'hook', id: String(id), attributes },
        })),
      },
      {
        name: 'a list',
        notCombined: true,
        description: 'Returns an array with one record.',
        deviation: showing((record) => [record]),
      },
      {
        name: 'the token',
        notCombined: true,
        description: 'Returns the token, too.',
        deviation: showing((record) => ({ ...record, token: '********' })),
      },
      {
        name: 'flags as numbers',
        notCombined: true,
        description: 'Returns flags as 0 and 1.',
        deviation: showing((record) =>
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
      { name: 'numbers', description: 'Returns numbers.' },
      {
        name: 'digits',
        description: 'Returns numbers as strings.',
        choices: { hookIds: 'digits' },
      },
      { name: 'UUIDs', description: 'Returns UUIDs.', choices: { hookIds: 'uuid' } },
    ],
  },
  {
    requirement: 'HOOK-CREATE-07',
    name: 'the status of a creation',
    values: [
      { name: 'created', description: 'Returns 201.' },
      { name: 'OK', description: 'Returns 200.', choices: { createdStatus: 200 } },
      {
        name: 'accepted',
        notCombined: true,
        description: 'Returns 202.',
        deviation: changeSuccesses('createHook', (reply) => ({ ...reply, status: 202 })),
      },
      {
        name: 'no content',
        notCombined: true,
        description: 'Returns 204 with the URL of the record.',
        choices: { record: 'location' },
        deviation: changeSuccesses('createHook', (reply) => ({ ...reply, status: 204 })),
      },
      {
        name: 'no record',
        notCombined: true,
        description: 'Returns a success without the hook.',
        deviation: changeSuccesses('createHook', () => ({
          status: 201,
          body: { message: 'Created' },
        })),
      },
    ],
  },
]
