import type { HooksFactor } from './variation.ts'
import { records as showing, successes } from './building.ts'

/** What a creation answers. */
export const records: readonly HooksFactor[] = [
  {
    requirement: 'HOOK-CONFIG-22',
    name: 'the place of the record',
    levels: [
      { name: 'the answer', description: 'Answers a creation with the record.' },
      {
        name: 'a member',
        description: 'Answers with the record in a member.',
        choices: { record: 'nested' },
      },
      {
        name: 'elsewhere',
        description: 'Answers with the address of the record alone.',
        choices: { record: 'location' },
      },
    ],
  },
  {
    requirement: 'HOOK-CONFIG-22',
    name: 'the members of the record',
    levels: [
      { name: 'the fields', description: 'Shows what was asked for, without the token.' },
      {
        name: 'an id',
        description: 'Shows the id alone.',
        deviation: showing(({ id }) => ({ id })),
      },
      {
        name: 'relations',
        description: 'Shows the project and its maker before the hook itself.',
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
        description: 'Calls the id hook_id, and the project id id.',
        deviation: showing(({ id, ...record }) => ({ ...record, hook_id: id })),
      },
      {
        name: 'attributes',
        notCombined: true,
        description: 'Shows the fields below the id, as JSON:API does.',
        deviation: showing(({ id, ...attributes }) => ({
          data: { type: 'hook', id: String(id), attributes },
        })),
      },
      {
        name: 'a list',
        notCombined: true,
        description: 'Answers with a list of one record.',
        deviation: showing((record) => [record]),
      },
      {
        name: 'the token',
        notCombined: true,
        description: 'Shows a token too.',
        deviation: showing((record) => ({ ...record, token: '********' })),
      },
      {
        name: 'flags as numbers',
        notCombined: true,
        description: 'Shows flags as 0 and 1.',
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
    levels: [
      { name: 'numbers', description: 'Counts hooks.' },
      {
        name: 'digits',
        description: 'Writes the number of a hook as text.',
        choices: { hookIds: 'digits' },
      },
      { name: 'UUIDs', description: 'Makes ids up.', choices: { hookIds: 'uuid' } },
    ],
  },
  {
    requirement: 'HOOK-CREATE-07',
    name: 'the status of a creation',
    levels: [
      { name: 'created', description: 'Answers 201.' },
      { name: 'OK', description: 'Answers 200.', choices: { createdStatus: 200 } },
      {
        name: 'accepted',
        notCombined: true,
        description: 'Answers 202.',
        deviation: successes('createHook', (reply) => ({ ...reply, status: 202 })),
      },
      {
        name: 'no content',
        notCombined: true,
        description: 'Answers 204, with the address of the record.',
        choices: { record: 'location' },
        deviation: successes('createHook', (reply) => ({ ...reply, status: 204 })),
      },
      {
        name: 'no record at all',
        notCombined: true,
        description: 'Answers that all went well, and nothing of the hook.',
        deviation: successes('createHook', () => ({ status: 201, body: { message: 'Created' } })),
      },
    ],
  },
]
