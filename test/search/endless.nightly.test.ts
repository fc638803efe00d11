/** A statement that SQLite never ends: whoever asked is answered, whoever asks next finds, and the process can end. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Customer } from '../../conformance/customer.ts'
import { openFleet } from '../machines/fleet.ts'
import { endlessIndex } from './index-files.ts'

/** Far above what a search may take, and what a stop may. */
const PATIENCE_MS = 40_000

const fleet = await openFleet({ after })
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'endless-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = setTimeout(() => reject(new Error(`not in time: ${what}`)), PATIENCE_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(late))
}

test('a search whose index does not answer is refused, the index made again, and nobody else waits', async () => {
  const one = await fleet.start({ DATA_DIR: folder, ROLES: 'api,worker' })
  const search = (who: Customer) => who.asks('GET', '/search?q=the')
  const [first, other] = [await fleet.customer(one), await fleet.customer(one)]
  for (const who of [first, other]) await who.orders({ urls: ['@smallworkshop'], maxVideos: 3 })
  const found = await Promise.all([first, other].map((who) => search(who)))
  assert.ok(found.every(({ body }) => body['total'] > 0))

  endlessIndex(path.join(folder, 'library', `${first.accountId}.db`))
  const asked = [search(first), search(first)]
  assert.deepEqual((await inTime('a search beside it', search(other))).body, found[1]?.body)
  const answers = await inTime('both searches', Promise.all(asked))
  // Whichever of the two came first.
  const [next, refused] = answers.sort((one, two) => one.status - two.status)
  assert.equal(refused?.status, 503)
  assert.match(refused?.body['error'].message, /took too long/)
  assert.deepEqual(next?.body, found[0]?.body)

  assert.equal(await inTime('the stop', one.ends('SIGTERM')), null, 'it ends by force')
  const said = one.lines.map(({ msg }) => msg)
  assert.ok(said.includes('stopped'), said.join('; '))
})

test('a thread that writes and does not come back is replaced, and its file made again', async () => {
  const child = fork(path.join(import.meta.dirname, 'endless-process.ts'), [folder])
  after(() => child.kill('SIGKILL'))
  const [said] = (await inTime('what it wrote', once(child, 'message'))) as [unknown]
  assert.deepEqual(said, { refused: 'WriteStuck', others: 0, again: 0 })
  const [code, signal] = (await inTime('its end', once(child, 'exit'))) as [number, string]
  assert.deepEqual([code, signal], [null, 'SIGKILL'])
})
