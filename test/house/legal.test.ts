/**
 * The templates of docs/legal: times and tables are those of the code (`UPDATE_DOCUMENTS=1` writes them), and only what
 * an operator alone knows is left to be filled in.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { SETTINGS } from '../../src/kit/config/config.ts'
import { placeOfNumber, REGISTER } from '../../src/store/register.ts'
import type { Erasure, NumberName, PeoplesTable } from '../../src/store/register/entry.ts'
import { numberOf } from '../support/number-in-code.ts'

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

const FATES: Record<Extract<Erasure, string>, string> = {
  at_once: 'deleted at once',
  by_account: 'deleted in the background, soon after',
  by_job: 'deleted in the background, soon after',
  after_jobs: 'deleted in the background, soon after',
  stripped: 'stays without what names or describes anybody',
}

/** Returns what becomes of a table's rows when their account is deleted. */
function fateOf({ erased }: PeoplesTable): string {
  if (typeof erased === 'string') return FATES[erased]
  return 'with' in erased ? `deleted with \`${erased.with}\`` : `stays: ${erased.kept}`
}

/** Returns a time as people say it: the largest unit in which it is whole. */
function timeOf(name: NumberName | undefined): string {
  if (name === undefined) return '–'
  const { file, constant } = placeOfNumber(name)
  const seconds = numberOf(file, constant) * (/days$/i.test(name) ? 86_400 : 1)
  const units = { day: 86_400, hour: 3_600, minute: 60 }
  for (const [unit, length] of Object.entries(units))
    if (seconds % length === 0) return `${seconds / length} ${unit}${seconds === length ? '' : 's'}`
  return `${seconds} seconds`
}

test('the deletion times are those of the code', () => {
  const lines = [
    '| what | table | goes by itself after | when the account is deleted |',
    '|---|---|---|---|',
    ...Object.entries(REGISTER).flatMap(([table, entry]) =>
      entry.holds === undefined
        ? []
        : [`| ${entry.holds} | \`${table}\` | ${timeOf(entry.goesAfter)} | ${fateOf(entry)} |`],
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
