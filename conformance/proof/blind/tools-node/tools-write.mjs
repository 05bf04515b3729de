// Tools that change the store, and the two that talk while they work.
import { setTimeout as pause } from 'node:timers/promises'
import { on } from './switches.mjs'
import { store } from './store.mjs'
import { ToolFailure } from './failure.mjs'
import { json } from './render.mjs'
import { ACCESSION_ID, TAGS, find } from './tools-read.mjs'

const NAME = { type: 'string', minLength: 2, maxLength: 120, description: 'Name of the accession.' }
const QUANTITY = {
  type: 'integer',
  minimum: 0,
  maximum: 1000000,
  description: 'Number of seeds in store.',
}
const NOTES = { type: 'string', maxLength: 1000, description: 'Free notes.' }

function create(args) {
  const record = store.put({
    name: args.name,
    species: args.species,
    origin: args.origin,
    tags: args.tags ?? [],
    quantity: args.quantity,
    notes: args.notes ?? null,
  })
  if (on('writes-answer-with-sentence')) return `Created accession ${record.id}.`
  return json(record)
}

function update({ accession_id: id, ...fields }) {
  find(id)
  if (on('update-without-notes-clears-them') && !('notes' in fields)) fields.notes = null
  const record = store.change(id, fields)
  if (on('writes-answer-with-sentence')) return `Updated accession ${id}.`
  return json(record)
}

function remove({ accession_id: id }) {
  if (!store.get(id) && on('deletion-of-missing-succeeds')) return json({ deleted: id })
  if (on('second-deletion-hits-last-record') && !store.get(id) && store.everDeleted) {
    store.remove([...store.accessions.keys()].pop())
  }
  find(id)
  if (on('deletion-does-nothing')) return json({ deleted: id })
  store.remove(id)
  if (on('writes-answer-with-sentence')) return `Deleted accession ${id}.`
  return json({ deleted: id })
}

const STEPS = 10
async function audit({ minimum_stock: least }, ctx) {
  ctx.log('info', 'Audit started.')
  const records = store.ordered()
  const low = []
  const size = Math.ceil(records.length / STEPS) || 1
  const steps = on('progress-in-twenty-steps') ? 20 : STEPS
  for (let i = 0; i < STEPS; i += 1) {
    await pause(on('audit-slower') ? 90 : 40, undefined, {
      signal: on('cancelled-work-goes-on') ? undefined : ctx.signal,
    })
    for (const r of records.slice(i * size, (i + 1) * size)) {
      if (r.quantity < least) low.push(r.id)
      if (on('audit-touches-records')) {
        r.revision += 1
        r.updated_at = new Date().toISOString()
      }
    }
    ctx.log('debug', `Checked part ${i + 1} of ${STEPS}.`)
    if (steps === 20) ctx.progress((i + 0.5) / STEPS, `Checking part ${i + 1} of ${STEPS}`)
    ctx.progress((i + 1) / STEPS, `Checked part ${i + 1} of ${STEPS}`)
  }
  ctx.log('info', `Audit finished: ${low.length} accessions are low.`)
  const shown = low.slice(0, 100)
  return { structured: { checked: records.length, low_count: low.length, low_accessions: shown } }
}

export function withdrawalForm() {
  const confirm = {
    type: 'boolean',
    title: 'Confirm',
    description: 'Whether the seeds may be taken out.',
  }
  let purpose = {
    type: 'string',
    title: 'Purpose',
    description: 'What the seeds are for.',
    minLength: 2,
    maxLength: 200,
  }
  if (on('elicits-a-choice'))
    purpose = {
      type: 'string',
      title: 'Purpose',
      description: 'What the seeds are for.',
      enum: ['research', 'sowing', 'exchange'],
    }
  const schema = {
    type: 'object',
    properties: { purpose, confirm },
    required: ['purpose', 'confirm'],
  }
  if (on('elicits-only-confirmation'))
    return {
      schema: { type: 'object', properties: { confirm }, required: ['confirm'] },
      example: { confirm: true },
    }
  if (on('elicits-nested-object'))
    schema.properties.purpose = { type: 'object', properties: { text: purpose } }
  return { schema, example: { purpose: 'research', confirm: true } }
}

// What the user typed went through another program: it is checked like any other input.
function answerProblem(content, schema) {
  if (on('elicited-answer-not-checked')) return null
  if (!content || typeof content !== 'object' || Array.isArray(content)) return 'no content'
  for (const name of schema.required) if (!Object.hasOwn(content, name)) return `${name} is missing`
  for (const [name, rule] of Object.entries(schema.properties)) {
    const v = content[name]
    if (v === undefined || rule.type === 'object') continue
    if (typeof v !== rule.type) return `${name} must be a ${rule.type}`
    if (rule.enum && !rule.enum.includes(v)) return `${name} must be one of ${rule.enum.join(', ')}`
    if (rule.minLength && [...v].length < rule.minLength) return `${name} is too short`
    if (rule.maxLength && [...v].length > rule.maxLength && !on('elicited-length-not-checked'))
      return `${name} is too long`
  }
  return null
}

const enough = (record, n) => {
  if (record.quantity < n)
    throw new ToolFailure(`Accession ${record.id} has only ${record.quantity} seeds.`)
}

async function withdraw({ accession_id: id, quantity }, ctx) {
  const record = find(id)
  enough(record, quantity)
  const take = () => {
    const current = find(id)
    enough(current, quantity)
    const left = on('withdrawal-uses-quantity-from-before-asking')
      ? before - quantity
      : current.quantity - quantity
    store.change(id, { quantity: left })
    return json({ id, withdrawn: quantity, left })
  }
  const before = record.quantity
  if (on('elicits-only-once-per-session') && ctx.session.askedOnce) return take()
  if (on('withdraws-before-asking')) take()
  const { schema } = withdrawalForm()
  const message = on('elicits-with-long-prompt')
    ? `You are about to take ${quantity} seeds of ${record.name} (${id}) out of the store. Seeds that were taken out can't be put back. What are they for?`
    : `Take ${quantity} seeds of ${record.name} (${id}) out of the store?`
  const answer = await ctx.elicit(message, schema)
  ctx.session.askedOnce = true
  if (answer.action !== 'accept') {
    if (on('decline-still-withdraws') && answer.action === 'decline') return take()
    if (on('cancel-still-withdraws') && answer.action === 'cancel') return take()
    if (on('decline-told-as-error'))
      throw new ToolFailure('The withdrawal was not confirmed; nothing was taken.')
    return 'The withdrawal was not confirmed; nothing was taken.'
  }
  const problem = answerProblem(answer.content, schema)
  if (problem) throw new ToolFailure(`The answer is not valid: ${problem}. Nothing was taken.`)
  if (answer.content?.confirm !== true && !on('unconfirmed-still-withdraws'))
    return 'The withdrawal was not confirmed; nothing was taken.'
  if (on('withdraws-before-asking'))
    return json({ id, withdrawn: quantity, left: find(id).quantity })
  return take()
}

const writes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

export const writeTools = [
  {
    name: 'seedbank_create_accession',
    title: 'Create an accession',
    kind: 'create',
    hints: writes,
    run: create,
    description:
      'Adds one accession. Arguments: name, species, origin (two-letter country code), quantity, tags, notes. Returns the new accession as JSON. Do not use it to change an accession; use seedbank_update_accession.',
    input: {
      name: NAME,
      species: { type: 'string', minLength: 2, maxLength: 120, description: 'Botanical name.' },
      origin: { type: 'string', pattern: '^[A-Z]{2}$', description: 'Two-letter country code.' },
      quantity: QUANTITY,
      tags: TAGS,
      notes: NOTES,
    },
    required: ['name', 'species', 'origin', 'quantity'],
  },
  {
    name: 'seedbank_update_accession',
    title: 'Update an accession',
    kind: 'update',
    hints: { ...writes, destructiveHint: true, idempotentHint: true },
    run: update,
    description:
      'Replaces the given fields of one accession. Arguments: accession_id and at least one of name, quantity, tags, notes; fields that are not given stay. Returns the accession as JSON. Do not use it to take seeds out; use seedbank_withdraw_seeds.',
    input: { accession_id: ACCESSION_ID, name: NAME, quantity: QUANTITY, tags: TAGS, notes: NOTES },
    required: ['accession_id'],
    atLeastOne: ['name', 'quantity', 'tags', 'notes'],
  },
  {
    name: 'seedbank_delete_accession',
    title: 'Delete an accession',
    kind: 'delete',
    hints: { ...writes, destructiveHint: true, idempotentHint: true },
    run: remove,
    description:
      'Deletes exactly one accession for good. Arguments: accession_id. Returns the identifier that was deleted as JSON. Do not use it for accessions that are only out of stock; use seedbank_update_accession.',
    input: { accession_id: ACCESSION_ID },
    required: ['accession_id'],
  },
  {
    name: 'seedbank_audit_collection',
    title: 'Audit the collection',
    kind: 'audit',
    hints: { ...writes, readOnlyHint: true, idempotentHint: true },
    run: audit,
    description:
      'Checks the stock of every accession, telling its progress. Arguments: minimum_stock. Returns the number checked, the number below the minimum and the identifiers of the first 100 of those. Do not use it to look at one accession; use seedbank_get_accession.',
    input: {
      minimum_stock: {
        type: 'integer',
        minimum: 0,
        maximum: 1000000,
        default: 300,
        description: 'Stock below which an accession counts as low.',
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['checked', 'low_count', 'low_accessions'],
      properties: {
        checked: { type: 'integer', description: 'Accessions checked.' },
        low_count: { type: 'integer', description: 'Accessions below the minimum.' },
        low_accessions: {
          type: 'array',
          items: { type: 'string' },
          description: 'Identifiers of the first 100 of them.',
        },
      },
    },
  },
  {
    name: 'seedbank_withdraw_seeds',
    title: 'Withdraw seeds',
    kind: 'withdraw',
    hints: { ...writes, destructiveHint: true },
    run: withdraw,
    description:
      'Takes seeds of one accession out of the store after asking the user. Arguments: accession_id, quantity (1 to 100). Returns what was taken and what is left as JSON. Do not use it to correct a count; use seedbank_update_accession.',
    input: {
      accession_id: ACCESSION_ID,
      quantity: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        description: 'Number of seeds to take.',
      },
    },
    required: ['accession_id', 'quantity'],
  },
]
