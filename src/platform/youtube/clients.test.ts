/** Client profiles: those of this release, and what a file with other ones must hold. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { Compile } from 'typebox/schema'
import { CLIENT_PROFILES, versionOf } from './clients.ts'
import { readClientProfiles } from './read-clients.ts'

const DOCUMENTS = path.resolve(import.meta.dirname, '../../../docs/operating')
const document = (name: string): string => fs.readFileSync(path.join(DOCUMENTS, name), 'utf8')
const schema = Compile(JSON.parse(document('clients.schema.json')) as object)

test('the profiles of this release are a valid file, and the documented example', () => {
  assert.deepEqual(readClientProfiles(JSON.stringify(CLIENT_PROFILES)), CLIENT_PROFILES)
  assert.deepEqual(readClientProfiles(document('clients.example.json')), CLIENT_PROFILES)
  assert.ok(schema.Check(CLIENT_PROFILES), 'the documented schema says so, too')
})

test('the documented versions are those of this release', () => {
  const rows = document('clients.md')
  for (const { name, version } of CLIENT_PROFILES.map(versionOf))
    assert.match(
      rows,
      new RegExp(`\\| (?:\\w+, )?${name}(?:, \\w+)? \\| ${version.replaceAll('.', '\\.')}`),
    )
})

test('captions are asked for as VISIONOS, ANDROID and IOS, in that order, and never as the web', () => {
  const names = CLIENT_PROFILES.filter(({ use }) => use === 'captions').map(({ name }) => name)
  assert.deepEqual(names, ['VISIONOS', 'ANDROID', 'IOS', 'ANDROID_20', 'IOS_20'])
})

type Change = (profile: Record<string, unknown>) => Record<string, unknown>

const WRONG: [string, Change, RegExp][] = [
  ['no name', (profile) => ({ ...profile, name: '' }), /entry 1: "name" is missing/],
  ['an unknown use', (profile) => ({ ...profile, use: 'all' }), /entry 1 \(VISIONOS\): "use"/],
  ['a header id in words', (profile) => ({ ...profile, headerId: '101' }), /"headerId"/],
  [
    'a user agent of two lines',
    (profile) => ({ ...profile, userAgent: 'a\r\nx-evil: 1' }),
    /"userAgent"/,
  ],
  [
    'a context without a version',
    (profile) => ({ ...profile, context: { clientName: 'X' } }),
    /"context"/,
  ],
  [
    'a nested context',
    (profile) => ({ ...profile, context: { clientName: 'X', clientVersion: '1', more: {} } }),
    /"context"/,
  ],
  ['a context that is a list', (profile) => ({ ...profile, context: ['X'] }), /"context"/],
  [
    'a field that nobody knows',
    (profile) => ({ ...profile, embedURL: null }),
    /"embedURL" is none/,
  ],
  ['no address to embed in', (profile) => ({ ...profile, embedUrl: 'nowhere' }), /"embedUrl"/],
  ['a host of others', (profile) => ({ ...profile, host: 'example.org' }), /"host" is none of www/],
  ['no origin', (profile) => ({ ...profile, origin: 'example.org' }), /"origin" is no http/],
  ['a referer of two lines', (profile) => ({ ...profile, referer: 'https://a\n/' }), /"referer"/],
  [
    'a token for dates',
    (profile) => ({ ...profile, token: 'date' }),
    /"token" is none of captions/,
  ],
]

test('a wrong file is refused by entry and field', () => {
  for (const [what, change, sentence] of WRONG) {
    const [first, ...rest] = CLIENT_PROFILES
    const wrong = [change({ ...first }), ...rest]
    assert.throws(() => readClientProfiles(JSON.stringify(wrong)), sentence, what)
    assert.equal(schema.Check(wrong), false, `${what}, by the documented schema`)
  }
  assert.throws(() => readClientProfiles('{'), /not JSON/)
  assert.throws(() => readClientProfiles('{}'), /not a JSON array/)
  assert.throws(
    () => readClientProfiles(JSON.stringify([CLIENT_PROFILES[0], CLIENT_PROFILES[0]])),
    /occurs twice/,
  )
  assert.throws(
    () => readClientProfiles(JSON.stringify(CLIENT_PROFILES.slice(0, 3))),
    /"date_and_lists"/,
  )
  const withoutCaptions = CLIENT_PROFILES.filter(({ use }) => use !== 'captions')
  const ofOneApp = CLIENT_PROFILES.filter(({ name }) => name === 'IOS' || name === 'IOS_20')
  assert.throws(
    () => readClientProfiles(JSON.stringify([...ofOneApp, ...withoutCaptions])),
    /only one client \(IOS\).*two have to say so/,
  )
  const [one] = ofOneApp
  for (const missing of [CLIENT_PROFILES.slice(0, 3), [one, ...withoutCaptions]])
    assert.equal(schema.Check(missing), false)
})
