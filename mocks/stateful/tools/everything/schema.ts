import { z } from 'zod'
import { defineFixture, newTextResult } from './fixture.ts'

const address = z
  .object({ street: z.string().optional(), city: z.string().optional() })
  .meta({ id: 'address' })

export const jsonSchema = defineFixture({
  name: 'json_schema_2020_12_tool',
  title: 'JSON Schema 2020-12',
  description: 'Accepts an address, whose schema is in $defs. Returns the arguments.',
  input: z.object({ name: z.string().optional(), address: address.optional() }),
  run: ({ args }) => newTextResult(JSON.stringify(args)),
})
