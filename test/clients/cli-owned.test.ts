/** `get` leaves out what other orders delivered, writes it all the same, and buys it again only when told. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sharedService } from '../support/shared-service.ts'
import { cliUser } from './cli-command.ts'

const CHANNEL = 'https://www.youtube.com/@smallworkshop'

const it = await sharedService({ after })

test('another list writes what the account owns, for nothing, and --again buys it a second time', async () => {
  const customer = await it.customer('1')
  const user = cliUser(
    { after },
    { SCRIPTORIUM_URL: it.address, SCRIPTORIUM_API_KEY: customer.apiKey },
  )
  await user.runs('get', CHANNEL, '--max', '5', '--out', 'first')
  const files = user.files('first')
  assert.ok(files.length > 0)
  const balance = await customer.balance()

  const list = ['get', `${CHANNEL}/videos`, '--max', '1', '--out', 'second']
  const dry = await user.runs(...list, '--dry-run')
  assert.match(
    dry.stdout,
    /^1 to fetch {2}Small Workshop \(channel of 20, [45] you already have\)$/m,
  )
  assert.match(
    dry.stdout,
    /^Owned: [45] videos, from job [\w-]+ of \d{4}-\d\d-\d\d; free, and at most\s\$0\.0\d+ with\s--again\.$/m,
  )
  const ids = files.map((name) => /\[([\w-]{11})\]\.txt$/.exec(name)?.[1] ?? '')
  const named = ['get', '--out', 'named', '--', ...ids]
  const { code, stderr } = await user.runs(...named)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /had been delivered before and cost nothing again/)
  assert.deepEqual(user.files('named'), files)
  assert.equal(await customer.balance(), balance)

  const price = await user.runs('get', '--again', '--dry-run', '--', ...ids.slice(1))
  assert.match(price.stdout, /bought again for at most\s\$0\.\d+; free\swithout --again\./)
  const again = await user.runs('get', '--again', '--out', 'again', '--', ...ids.slice(1))
  assert.match(again.stderr, /charges them again/)
  const spent = Number(balance) - Number(await customer.balance())
  assert.equal(spent.toFixed(3), ((files.length - 1) * 0.008).toFixed(3))
})
