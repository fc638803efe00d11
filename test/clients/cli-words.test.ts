/** `get --words` writes the time of each word beside the other files, and says where there are none. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { EXIT } from '../../clients/cli/src/failure.ts'
import { readOutput } from '../../clients/cli/src/output.ts'
import { sharedService } from '../support/shared-service.ts'
import { cliUser } from './cli-command.ts'

const it = await sharedService({ after })
const idOf = (key: string): string => it.platform.world.special(key).videoId

test('a text gets its files of words, when it is bought and when it is owned already, and nothing twice; `download` brings them, too', async () => {
  const customer = await it.customer('1')
  const env = { SCRIPTORIUM_URL: it.address, SCRIPTORIUM_API_KEY: customer.apiKey }
  const user = cliUser({ after }, env)
  const [spoken, written] = [idOf('asr'), idOf('manual')]
  const options = ['--names', 'id', '--format', 'text,segments']
  const videos = [...options, '--', spoken, written]
  const endings = ['json', 'txt', 'words.json', 'words.vtt']
  const expected = [
    ...endings.map((ending) => `${spoken}.${ending}`),
    `${written}.json`,
    `${written}.txt`,
  ].sort()
  const read = (name: string): string => fs.readFileSync(path.join(user.folder, name), 'utf8')

  const bought = await user.runs('get', '--words', '--out', 'bought', ...videos)
  assert.equal(bought.code, 0, bought.stderr)
  assert.match(bought.stderr, /^6 files written to bought, \$0\.016$/m)
  assert.match(bought.stderr, /^No times of words for 1 video: the platform published none, /m)
  assert.deepEqual(user.files('bought'), expected)
  const { words } = JSON.parse(read(`bought/${spoken}.words.json`))
  const segments: { text: string }[] = JSON.parse(read(`bought/${spoken}.json`))
  assert.equal(
    words.map(({ text }: { text: string }) => text).join(''),
    segments.map(({ text }) => text).join(''),
  )
  assert.match(read(`bought/${spoken}.words.vtt`), /^WEBVTT\n\n[^\n]+ --> [^\n]+\n.*<00:/)
  const balance = await customer.balance()

  const repeated = await user.runs('get', '--words', '--out', 'bought', ...videos)
  assert.equal(repeated.code, 0, repeated.stderr)
  assert.match(repeated.stderr, /^0 files written to bought/m)
  assert.deepEqual(user.files('bought'), expected)

  // A text that was written without its words gets them later, and only them.
  const plain = await user.runs('get', '--out', 'plain', ...videos)
  assert.match(plain.stderr, /^4 files written/m)
  const later = await user.runs('get', '--words', '--out', 'plain', ...videos)
  assert.match(later.stderr, /^2 files written to plain, 4 there already/m)
  assert.deepEqual(user.files('plain'), expected)
  assert.equal(await customer.balance(), balance)

  const alone = await user.runs('get', '--words', '--out', 'plain', ...options, '--', spoken)
  assert.match(alone.stderr, /^0 files written to plain, \$0\.00$/m)

  const { jobs } = await customer.gets('/jobs')
  const bringing = ['download', jobs.at(-1).id, '--words', '--out', 'other', '--json']
  const { files } = JSON.parse((await user.runs(...bringing)).stdout)
  assert.deepEqual(
    files.map((file: { path: string }) => /\](\..*)$/.exec(file.path)?.[1]),
    ['.txt', '.words.json', '.words.vtt', '.txt'],
  )
})

test('times of words are for files alone', () => {
  assert.throws(() => readOutput({ words: true, stdout: true }, false), {
    exit: EXIT.usage,
    message: '--words is for files, not for --stdout',
  })
})
