/** The command line against the real service: what it writes, prints and answers to the shell. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'
import { cliUser } from './cli-command.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'
const VIDEO = 'https://www.youtube.com/watch?v=QIyCJblUw9E'
const ODD_TITLE = 'https://www.youtube.com/watch?v=It1atw4ZFoc'

const it = await sharedService({ after })
const customer = await it.customer()
const user = cliUser(
  { after },
  { SCRIPTORIUM_URL: it.address, SCRIPTORIUM_API_KEY: customer.apiKey },
)

test('get writes a file for each video, says what it cost and which ones have no text', async () => {
  const { code, stdout, stderr } = await user.runs('get', CHANNEL, '--out', 'talks')
  assert.equal(code, 3, stderr)
  assert.equal(stdout, '')
  const files = user.files('talks')
  assert.equal(files.length, 22)
  assert.match(files[0] ?? '', / \[[\w-]{11}\]\.txt$/)
  assert.match(
    stderr,
    /^Job [\w-]{36}: at most 500 videos, \$4\.00\n22 files written to talks, \$0\.176\n/,
  )
  assert.match(
    stderr,
    /2 videos without a transcript \(free\):\n {2}The platform publishes no captions/,
  )

  const text = fs.readFileSync(path.join(user.folder, 'talks', files[0] ?? ''), 'utf8')
  const { jobs } = await customer.gets('/jobs')
  const rows = await customer.readsRows(jobs[0])
  const words = (wording: string): string => wording.split(/\s+/).join(' ').trim()
  const row = rows.find(({ videoId }) => files[0]?.includes(`[${videoId}]`))
  assert.equal(words(text), row?.['text'])
})

test('--stdout prints texts, Markdown or rows, and prints them again for nothing', async () => {
  const text = await user.runs('get', VIDEO, '--stdout')
  const again = await user.runs('get', VIDEO, '--stdout')
  assert.equal(text.code, 0)
  assert.ok(text.stdout.length > 100)
  assert.equal(again.stdout, text.stdout)
  const markdown = await user.runs('get', ODD_TITLE, '--stdout', '--format', 'markdown')
  assert.match(markdown.stdout, /^# \.\.\/\.\.\/etc\/passwd: CON \\\| aux\? \\<nul\\>\\\*\n\n/)
  const rows = await user.runs('get', VIDEO, '--out', '-', '--format', 'jsonl', '--quiet')
  const row = JSON.parse(rows.stdout)
  assert.equal(row.videoId, 'QIyCJblUw9E')
  assert.ok(row.segments.length > 0)
  assert.equal(rows.stderr, '')
})

test('every refusal has its exit code, and with --json its code on standard error', async () => {
  const poor = await it.customer('0.001')
  const keys = { good: customer.apiKey, poor: poor.apiKey, wrong: 'sk_wrong', none: '' }
  const cases: [key: keyof typeof keys, url: string, args: string[], code: number, name: string][] =
    [
      ['good', it.address, ['get', 'https://example.org/'], 2, 'invalid_url'],
      ['good', it.address, ['job', 'nothing-like-it'], 1, 'not_found'],
      ['wrong', it.address, ['balance'], 4, 'unauthorized'],
      ['none', it.address, ['balance'], 4, 'unauthorized'],
      ['poor', it.address, ['get', VIDEO], 5, 'insufficient_balance'],
      ['good', '', ['balance'], 2, 'usage'],
      ['good', it.address, ['get', VIDEO, '--names', 'color'], 2, 'usage'],
      ['good', it.address, ['get', VIDEO, '--out', '/dev/null/x'], 1, 'files'],
      ['good', it.address, ['login', '--device', '--key-stdin'], 2, 'usage'],
      ['good', it.address, ['webhook', 'listen', 'not an address'], 2, 'usage'],
    ]
  await Promise.all(
    cases.map(async ([key, url, args, code, name]) => {
      const env = { SCRIPTORIUM_URL: url, SCRIPTORIUM_API_KEY: keys[key] }
      const one = cliUser({ after }, env)
      const ended = await one.runs(...args, '--json')
      assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`)
      const { error } = JSON.parse(ended.stderr)
      assert.equal(error.code, name)
      assert.doesNotMatch(error.message, /Authorization/, 'nobody types headers here')
    }),
  )
})
