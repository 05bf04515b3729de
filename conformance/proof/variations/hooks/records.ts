import type { HooksFactor } from './variation.ts'
import { records as showing, successes } from './building.ts'

/** What a creation answers. */
export const records: readonly HooksFactor[] = [
  {
    row: 'HOOK-CONFIG-22',
    factor: 'the place of the record',
    levels: [
      { name: 'the answer', says: 'Answers a creation with the record.' },
      {
        name: 'a member',
        says: 'Answers with the record in a member.',
        choices: { record: 'nested' },
      },
      {
        name: 'elsewhere',
        says: 'Answers with the address of the record alone.',
        choices: { record: 'location' },
      },
    ],
  },
  {
    row: 'HOOK-CONFIG-22',
    factor: 'the members of the record',
    levels: [
      { name: 'the fields', says: 'Shows what was asked for, without the token.' },
      { name: 'an id', says: 'Shows the id alone.', deviation: showing(({ id }) => ({ id })) },
      {
        name: 'relations',
        says: 'Shows the project and its maker before the hook itself.',
        deviation: showing((record) => ({
          project: { id: 7, url: 'https://git.example.com/p' },
          user: { id: 'u-1' },
          ...record,
          token_set: true,
        })),
      },
      {
        name: 'hook_id',
        alone: true,
        says: 'Calls the id hook_id, and the project id id.',
        deviation: showing(({ id, ...record }) => ({ ...record, hook_id: id })),
      },
      {
        name: 'attributes',
        alone: true,
        says: 'Shows the fields below the id, as JSON:API does.',
        deviation: showing(({ id, ...attributes }) => ({
          data: { type: 'hook', id: String(id), attributes },
        })),
      },
      {
        name: 'a list',
        alone: true,
        says: 'Answers with a list of one record.',
        deviation: showing((record) => [record]),
      },
      {
        name: 'the token',
        alone: true,
        says: 'Shows a token too.',
        deviation: showing((record) => ({ ...record, token: '********' })),
      },
      {
        name: 'flags as numbers',
        alone: true,
        says: 'Shows flags as 0 and 1.',
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
    row: 'HOOK-CONFIG-22',
    factor: 'ids of hooks',
    levels: [
      { name: 'numbers', says: 'Counts hooks.' },
      {
        name: 'digits',
        says: 'Writes the number of a hook as text.',
        choices: { hookIds: 'digits' },
      },
      { name: 'UUIDs', says: 'Makes ids up.', choices: { hookIds: 'uuid' } },
    ],
  },
  {
    row: 'HOOK-CREATE-07',
    factor: 'the status of a creation',
    levels: [
      { name: 'created', says: 'Answers 201.' },
      { name: 'OK', says: 'Answers 200.', choices: { createdStatus: 200 } },
      {
        name: 'accepted',
        alone: true,
        says: 'Answers 202.',
        deviation: successes('createHook', (reply) => ({ ...reply, status: 202 })),
      },
      {
        name: 'no content',
        alone: true,
        says: 'Answers 204, with the address of the record.',
        choices: { record: 'location' },
        deviation: successes('createHook', (reply) => ({ ...reply, status: 204 })),
      },
      {
        name: 'no record at all',
        alone: true,
        says: 'Answers that all went well, and nothing of the hook.',
        deviation: successes('createHook', () => ({ status: 201, body: { message: 'Created' } })),
      },
    ],
  },
]
