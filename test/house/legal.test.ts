/**
 * The templates of docs/legal: times and tables are those of the code (`UPDATE_DOCUMENTS=1` writes them), and only what
 * an operator alone knows is left to be filled in.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { SETTINGS } from '../../src/kit/config/config.ts'
import { ERASURE_PLAN } from '../../src/model/accounts/erasure-plan.ts'
import { numberOf } from '../support/number-in-code.ts'
import { KEPT_DATA, type Kept, OF_NOBODY } from './kept-data.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../docs/legal')
const FILE = path.join(FOLDER, 'deletion-times.md')
const BLOCK = /(<!-- times -->\n)[\s\S]*?(<!-- \/times -->)/
const TEMPLATES = [
  'data-processing-agreement',
  'deletion-times',
  'records-of-processing',
  'sub-processors',
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

/** Returns what becomes of a table's rows when their account is deleted. */
function fateOf(table: string): string {
  const { atOnce, ofJobs, ofAccount, afterJobs, withAnother, stripped, kept } = ERASURE_PLAN
  if (atOnce.includes(table)) return 'deleted at once'
  if ([...ofJobs, ...Object.keys({ ...ofAccount, ...afterJobs })].includes(table))
    return 'deleted in the background, soon after'
  const owner = (withAnother as Record<string, string>)[table]
  if (owner !== undefined) return `deleted with \`${owner}\``
  if (stripped.includes(table)) return 'stays without what names or describes anybody'
  const reason = (kept as Record<string, string>)[table]
  assert.ok(reason !== undefined, `the erasure plan does not name ${table}`)
  return `stays: ${reason}`
}

/** Returns a time as people say it: the largest unit in which it is whole. */
function timeOf({ time }: Kept): string {
  if (time === undefined) return '–'
  const [file, constant, unit] = time
  const seconds = numberOf(file, constant) * (unit === 'days' ? 86_400 : 1)
  const units = { day: 86_400, hour: 3_600, minute: 60 }
  for (const [name, length] of Object.entries(units))
    if (seconds % length === 0) return `${seconds / length} ${name}${seconds === length ? '' : 's'}`
  return `${seconds} seconds`
}

test('every table is said to hold what it does of people, or nothing of anybody', () => {
  const { atOnce, ofJobs, ofAccount, afterJobs, withAnother, stripped, kept } = ERASURE_PLAN
  const parts = [ofAccount, afterJobs, withAnother, kept].flatMap((part) => Object.keys(part))
  assert.deepEqual(
    [...Object.keys(KEPT_DATA), ...OF_NOBODY].toSorted(),
    [atOnce, ofJobs, stripped, parts].flat().toSorted(),
  )
})

test('the deletion times are those of the code', () => {
  const lines = [
    '| what | table | goes by itself after | when the account is deleted |',
    '|---|---|---|---|',
    ...Object.entries(KEPT_DATA).map(
      ([table, kept]) => `| ${kept.holds} | \`${table}\` | ${timeOf(kept)} | ${fateOf(table)} |`,
    ),
  ]
  const texts = SETTINGS.RETENTION_DAYS
  const backups = SETTINGS.BACKUP_DAYS
  const others = [
    `- \`RETENTION_DAYS\` (${texts.unit}, by default ${texts.defaultText}): ${texts.about}`,
    `- \`BACKUP_DAYS\` (${backups.unit}, by default ${backups.defaultText}): ${backups.about}`,
  ]
  const text = fs.readFileSync(FILE, 'utf8')
  const wanted = text.replace(
    BLOCK,
    (_, open: string, close: string) =>
      `${open}\n${[...lines, '', 'What the operator sets:', '', ...others].join('\n')}\n\n${close}`,
  )
  if (process.env['UPDATE_DOCUMENTS'] === '1') fs.writeFileSync(FILE, wanted)
  else
    assert.equal(text, wanted, '`UPDATE_DOCUMENTS=1 npm run check -- house` writes the times again')
})

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
