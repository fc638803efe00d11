/** The templates of docs/legal leave open only what an operator alone knows; `npm run print` writes their times. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { SETTINGS } from '../../src/config/config.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../docs/legal')
const TEMPLATES = [
  'data-processing-agreement',
  'deletion-times',
  'imprint',
  'privacy',
  'records-of-processing',
  'sub-processors',
  'terms',
]
const HEAD = /^# .+\n\n> \*\*A template, not legal advice\.\*\* .*\[square brackets\].*\n/
/** What only the operator knows, as templates ask for it. */
const FILLED_IN = [
  'name and address of the customer',
  'name and address of the operator',
  'contact for data protection',
  'country',
  'country and court',
  'date',
  'days',
  'legal basis of a transfer',
  'name and address',
  'where and by whom the service is hosted',
]

const read = (name: string): string => fs.readFileSync(path.join(FOLDER, `${name}.md`), 'utf8')

test('templates say that they are ones, and leave open only what an operator alone knows', () => {
  assert.deepEqual(
    fs.readdirSync(FOLDER).toSorted(),
    TEMPLATES.map((name) => `${name}.md`),
  )
  const asked = new Set<string>()
  for (const name of TEMPLATES) {
    const text = read(name)
    assert.match(text, HEAD, name)
    for (const [, word = ''] of text.replace(HEAD, '').matchAll(/\[([^\]]+)\](?!\()/g)) {
      assert.ok(FILLED_IN.includes(word), `${name} asks for “${word}”`)
      asked.add(word)
    }
    for (const [, setting = ''] of text.matchAll(/`([A-Z][A-Z_]+)`/g))
      assert.ok(setting in SETTINGS, `${name} names ${setting}, which is no setting`)
  }
  assert.deepEqual([...asked].toSorted(), FILLED_IN.toSorted())
})

test('the records name every kind of recipient that the settings can bring', () => {
  for (const setting of ['SMTP_URL', 'STRIPE_SECRET_KEY', 'OIDC_ISSUER', 'EGRESS_ROUTES'])
    assert.ok(
      setting in SETTINGS && read('sub-processors').includes(`\`${setting}\``),
      `sub-processors.md says nothing of ${setting}`,
    )
})
