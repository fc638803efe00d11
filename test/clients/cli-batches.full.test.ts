/** Orders of more than a job may have, by the command line: one order, one summary, nothing twice. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uploadsOf } from '../repeats/asking-again.ts'
import { holdAfter } from '../support/held-platform.ts'
import { sharedService } from '../support/shared-service.ts'
import { until } from '../support/until.ts'
import { cliUser } from './cli-command.ts'

const { platform, customer, address } = await sharedService({ after })
const { world } = platform
const SIXTY = uploadsOf(world, world.channel('medium')).slice(0, 60)
const IDS = SIXTY.map(({ videoId }) => videoId)
const TEXTS = SIXTY.filter(({ status }) => status === 'success').map(({ videoId }) => videoId)
const COST = TEXTS.length * 0.008
const LINES = IDS.join('\n')

test('the command line writes sixty lines as one order, and the same command buys nothing twice', async () => {
  const buyer = await customer('10')
  const user = userOf(buyer.apiKey)
  const price = await user.pipes(LINES, 'get', '-', '--dry-run')
  assert.match(price.stdout, /^ {2}60 lines$/m)
  assert.match(price.stdout, /^The order takes at most \d+ videos, \$0\.\d+\.$/m)
  const told = await user.pipes(LINES, 'get', '-', '--out', 'sixty', '--name', 'Sixty')
  assert.equal(told.code, 3, told.stderr)
  assert.match(told.stderr, /^Batch batch_\w+: at most 60 videos, \$0\.48, in 2 parts\n/)
  const summary = new RegExp(`\n${TEXTS.length} files written to sixty, \\$${COST.toFixed(2)}`)
  assert.match(told.stderr, summary)
  assert.equal(user.files('sixty').length, TEXTS.length)
  assert.equal(await buyer.balance(), (10 - COST).toFixed(3))

  const again = await user.pipes(LINES, 'get', '-', '--out', 'other', '--json')
  assert.equal(again.code, 3, again.stderr)
  const { batch, jobs } = JSON.parse(again.stdout)
  assert.deepEqual([batch.lines, batch.state, jobs.length], [60, 'finished', 2])
  const files = jobs.flatMap((one: { files: { isNew: boolean }[] }) => one.files)
  const gone = jobs.flatMap((one: { missing: unknown[] }) => one.missing)
  assert.deepEqual([files.length, gone.length], [TEXTS.length, IDS.length - TEXTS.length])
  assert.deepEqual(user.files('other'), user.files('sixty'))
  const printed = await user.pipes(LINES, 'get', '-', '--stdout', '--format', 'jsonl')
  const rows = printed.stdout.trimEnd().split('\n')
  assert.deepEqual(
    rows.map((row) => JSON.parse(row).videoId),
    TEXTS,
  )
  assert.equal(await buyer.balance(), (10 - COST).toFixed(3))
  const shown = await user.runs('job', batch.id)
  assert.match(shown.stdout, /^lines +60, at part 2 of 2$/m)
  const numbered = await user.pipes(LINES, 'get', '-', '--names', 'index')
  assert.deepEqual([numbered.code, user.files('.').includes('transcripts')], [2, false])
})

test('an interrupted order of sixty lines goes on at the service, and the same command brings it', async () => {
  const buyer = await customer('10')
  const user = userOf(buyer.apiKey)
  holdAfter(platform, 5)
  const first = user.starts('get', ...IDS.slice(0, 3), LINES, '--out', 'held')
  await until('its first job runs', async () => {
    const { batches } = await buyer.gets('/batches')
    return batches[0]?.progress.delivered > 0
  })
  first.child.kill('SIGINT')
  const { code, stderr } = await first.ended
  assert.equal(code, 130)
  const [, id = ''] = /To end it: scriptorium cancel (batch_\w+)/.exec(stderr) ?? []
  assert.notEqual(id, '', stderr)
  assert.match((await user.runs('cancel', id)).stdout, /^state +stopped: You stopped it\.$/m)
  platform.clear()
  await until('its job has ended', async () => {
    const { jobs } = await buyer.gets(`/batches/${id}`)
    return jobs.every(({ state }: { state: string }) => state === 'cancelled')
  })
  const second = await user.runs('get', ...IDS.slice(0, 3), LINES, '--out', 'held')
  assert.equal(second.code, 3, second.stderr)
  assert.match(second.stderr, new RegExp(`^Continuing batch ${id} of `))
  assert.equal(user.files('held').length, TEXTS.length)
  assert.equal(await buyer.balance(), (10 - COST).toFixed(3))
  assert.equal((await buyer.gets('/batches')).total, 1)
})

test('an order of all videos is told at the price of those that there are', async () => {
  const buyer = await customer('0.200')
  const user = userOf(buyer.apiKey)
  const told = await user.runs('get', world.channel('small').handle!, '--all', '--out', 'all')
  assert.match(told.stderr, /^Job \S+: at most 24 videos, \$0\.192\n/, told.stderr)
  assert.doesNotMatch(told.stderr, /That was the limit/, 'nothing is left')
  const dry = await user.runs('get', '@dailynotes', '--all', '--dry-run')
  assert.match(dry.stdout, /^The order takes at most 1,200 videos, \$9\.60\.$/m)
  const long = await user.runs('get', '@dailynotes', '--all', '--out', 'long')
  assert.match(long.stderr, /^Batch batch_\w+: at most 1,200 videos, \$9\.60\n/, long.stderr)
})

function userOf(apiKey: string) {
  return cliUser({ after }, { SCRIPTORIUM_URL: address, SCRIPTORIUM_API_KEY: apiKey })
}
