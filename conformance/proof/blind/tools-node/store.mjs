// The seed bank itself: one store for the whole process, shared by every session and transport.
import { createHash, randomUUID } from 'node:crypto'
import { on } from './switches.mjs'

const CROPS = [
  ['wheat', 'Triticum dicoccum'],
  ['barley', 'Hordeum vulgare'],
  ['bean', 'Phaseolus vulgaris'],
  ['flax', 'Linum usitatissimum'],
]
const PLACES = [
  'Ølland',
  'Žitava',
  'São Miguel',
  'Łąka',
  'Karoo',
  'Ávila',
  'Tromsø',
  'Bihar',
  'Gotland',
  'Nagano',
  'Puno',
  'Tigray',
  'Västra',
  'Yukon',
  'Zagros',
]
const COUNTRIES = [
  'DK',
  'SK',
  'PT',
  'PL',
  'ZA',
  'ES',
  'NO',
  'IN',
  'SE',
  'JP',
  'PE',
  'ET',
  'SE',
  'CA',
  'IR',
]
const OBSERVERS = ['Ida Brandt', 'José Ruiz', 'Mei Tanaka', 'Abebe Tesfaye']
const START = Date.parse('2024-01-03T06:20:00Z')
const pad = (n) => String(n).padStart(4, '0')
const checksum = (r) =>
  createHash('sha256')
    .update(r.name + r.species + r.quantity)
    .digest('hex')
    .slice(0, 24)

export class Store {
  constructor() {
    this.accessions = new Map()
    this.observations = []
    this.listeners = new Set()
    this.last = 0
    for (let i = 0; i < 180; i += 1) this.seed(i)
    for (let i = 0; i < 160; i += 1) this.observations.push(this.observation(i))
    // Two violations look at how things were at the start.
    this.atStart = [...this.accessions.values()].map((r) => ({ ...r }))
    this.everDeleted = 0
  }

  seed(i) {
    const [crop, species] = CROPS[i % 4]
    const at = new Date(START + i * 31 * 3600e3).toISOString()
    this.put(
      {
        name: `${PLACES[i % 15]} ${crop}`,
        species,
        origin: COUNTRIES[i % 15],
        tags: i % 3 ? ['landrace', crop] : ['cultivar'],
        quantity: 200 + ((i * 37) % 900),
        notes: i % 5 === 0 ? null : `Collected on plot ${1 + (i % 23)}, kept at −18 °C.`,
      },
      at,
    )
  }

  observation(i) {
    const n = (i * 7) % 180
    const accession = [...this.accessions.values()][n]
    return {
      id: `OBS-${pad(i + 1)}`,
      title: `Germination trial ${i + 1}`,
      accession_id: accession.id,
      observer: OBSERVERS[i % 4],
      germination_percent: 40 + ((i * 13) % 60),
      recorded_at: new Date(START + i * 17 * 3600e3).toISOString(),
      remarks: `Tray ${i + 1}: ${'radicle first seen on the expected day, no mould, even moisture, café filter paper; '.repeat(5 + (i % 3))}end of day ${7 + (i % 9)}.`,
    }
  }

  put(fields, at = new Date().toISOString()) {
    this.last += 1
    const id =
      on('ids-are-random') && this.atStart
        ? `ACC-${randomUUID().slice(0, 8).toUpperCase()}`
        : `ACC-${pad(this.last)}`
    const record = { id, ...fields, created_at: at, updated_at: at, revision: 1, checksum: '' }
    record.checksum = checksum(record)
    this.accessions.set(id, record)
    if (this.atStart) this.tell({ kind: 'created', id })
    return record
  }

  get(id) {
    return this.accessions.get(id)
  }

  // A change that changes nothing leaves even the revision alone: that is what makes it idempotent.
  change(id, fields) {
    const record = this.accessions.get(id)
    const differs = Object.entries(fields).some(
      ([k, v]) => JSON.stringify(record[k]) !== JSON.stringify(v),
    )
    if (!differs && !on('update-again-raises-revision')) return record
    record.nameBefore = record.name
    Object.defineProperty(record, 'nameBefore', {
      enumerable: false,
      writable: true,
      configurable: true,
    })
    Object.assign(record, fields)
    record.revision += 1
    record.updated_at = new Date().toISOString()
    record.checksum = checksum(record)
    this.tell({ kind: 'updated', id })
    return record
  }

  remove(id) {
    const had = this.accessions.delete(id)
    if (!had) return false
    this.everDeleted += 1
    if (on('deletion-takes-neighbours-by-prefix')) {
      for (const other of [...this.accessions.keys()])
        if (other.startsWith(id.slice(0, -1)) && other !== id) this.accessions.delete(other)
    }
    this.tell({ kind: 'deleted', id })
    return true
  }

  ordered() {
    const list = [...this.accessions.values()]
    if (on('order-newest-first')) return list.reverse()
    if (on('order-by-name'))
      return list.sort((a, b) =>
        a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1,
      )
    return list.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  tell(event) {
    for (const listener of this.listeners) listener(event)
  }
}

export const store = new Store()
