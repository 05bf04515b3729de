import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { JournalFile, readJournal } from './journal-file.ts'
import { newRedactor } from './wire/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-journal-'))
const path = join(folder, 'created.ndjson')
const redact = newRedactor({ IMAGES_TOKEN: 'token-of-the-account' })
const open = () => new JournalFile(path, redact)

const creation = { method: 'POST', url: 'http://127.0.0.1/images', mark: 'ts1' }
const deletion = { method: 'DELETE', url: 'http://127.0.0.1/images/1' }
const restoration = { method: 'PATCH', url: 'http://127.0.0.1/config', body: { on: true } }

/** What the section `images` of the file lists. */
const leftovers = () => readJournal(path).sections.get('images')

beforeEach(() => rmSync(path, { force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the journal of a run', () => {
  it('lists what was created, and what may have been created', () => {
    const journal = open().of('images')
    journal.end(journal.begin(creation), deletion)
    journal.end(journal.begin(creation))
    const unanswered = journal.begin(creation)
    expect(leftovers()).toEqual({
      undos: [deletion],
      unanswered: new Map([[unanswered, creation]]),
    })
  })

  it('is deleted when everything was undone', () => {
    const file = open()
    const journal = file.of('images')
    journal.end(journal.begin(creation), deletion)
    journal.change(restoration)
    journal.undone(restoration)
    expect(file.close()).toBe(1)
    journal.undone(deletion)
    expect(file.close()).toBe(0)
    expect(existsSync(path)).toBe(false)
  })

  it('keeps the first value of a setting that is changed twice', () => {
    const journal = open().of('images')
    journal.change(restoration)
    journal.change({ ...restoration, body: { on: false } })
    expect(leftovers()?.undos).toEqual([restoration])
  })

  it('contains neither headers nor secrets, and only its owner can read it', () => {
    const journal = open().of('images')
    const headers = { Authorization: 'Bearer token-of-the-account' }
    const url = 'http://127.0.0.1/images/token-of-the-account'
    journal.end(journal.begin({ ...creation, url }), {
      ...deletion,
      url,
      headers,
    } as typeof deletion)
    journal.change({ ...restoration, url, headers } as typeof restoration)
    journal.undone({ ...deletion, url: `${url}/2`, headers } as typeof deletion)
    const text = readFileSync(path, 'utf8')
    expect(text).not.toContain('token-of-the-account')
    expect(text).not.toContain('Authorization')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('reports whether a run did not end', () => {
    const [first, second] = [open(), open()]
    for (const file of [first, second]) {
      const journal = file.of('images')
      journal.end(journal.begin(creation), { ...deletion, url: `${deletion.url}${Math.random()}` })
    }
    first.close()
    expect(readJournal(path).hasOpenRun).toBe(true)
    second.close()
    expect(readJournal(path).hasOpenRun).toBe(false)
    expect(leftovers()?.undos).toHaveLength(2)
  })

  it('is read although its last line is cut off', () => {
    const journal = open().of('images')
    journal.end(journal.begin(creation), deletion)
    appendFileSync(path, '{"undone":{"method":"DELETE","url":"http://127.0.0.1/ima')
    expect(leftovers()?.undos).toEqual([deletion])
  })

  it('ignores lines that no run has written', () => {
    const journal = open().of('images')
    journal.end(journal.begin(creation), deletion)
    const lines = ['42', 'null', '"text"', '[]', '{}', '{"change":{"url":5},"section":"images"}']
    appendFileSync(path, lines.join('\n'))
    expect(leftovers()?.undos).toEqual([deletion])
  })

  it('does not end the run if it cannot be written', () => {
    const journal = new JournalFile('/dev/null/created.ndjson', redact).of('images')
    expect(() => journal.end(journal.begin(creation), deletion)).not.toThrow()
  })
})
