/**
 * A statement that SQLite never ends: the caller gets an answer, later callers find their texts, and the process can
 * end.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import { SEARCHES_TOO_SLOW } from '../../src/features/search/index-builds.ts'
import { openFleet } from '../machines/fleet.ts'
import { endlessIndex } from './index-files.ts'

/** Bound in milliseconds, far above the time that a search or a stop may take. */
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
  const one = await fleet.start({
    DATA_DIR: folder,
    ROLES: 'api,worker',
    DATABASE_PATIENCE: '1',
  })
  const search = (who: Customer) => who.asks('GET', '/search?q=the')
  const [first, other] = [await fleet.customer(one), await fleet.customer(one)]
  for (const who of [first, other]) await who.orders({ urls: ['@smallworkshop'], maxVideos: 3 })
  const found = await Promise.all([first, other].map((who) => search(who)))
  assert.ok(found.every(({ body }) => body['total'] > 0))

  endlessIndex(path.join(folder, 'library', `${first.accountId}.db`))
  for (let times = 0; times < SEARCHES_TOO_SLOW; times += 1) {
    const asked = search(first)
    assert.deepEqual((await inTime('a search beside it', search(other))).body, found[1]?.body)
    const refused = await inTime('a search of it', asked)
    assert.equal(refused.status, 503)
    assert.match(refused.body['error'].message, /took too long/)
  }
  assert.deepEqual((await inTime('the next search', search(first))).body, found[0]?.body)

  endlessIndex(path.join(folder, 'library', `${first.accountId}.db`))
  const cut = search(first).catch(() => null)
  assert.equal(await inTime('the stop', one.ends('SIGTERM')), 0)
  await cut
  const said = one.lines.map(({ msg }) => msg)
  assert.ok(said.includes('stopped'), said.join('; '))
})

test('what writes and does not come back is ended, and its file made again', async () => {
  const child = fork(path.join(import.meta.dirname, 'endless-process.ts'), [folder])
  after(() => child.kill('SIGKILL'))
  const [said] = (await inTime('what it wrote', once(child, 'message'))) as [unknown]
  assert.deepEqual(said, { refused: 'TaskTooSlow', others: 0, again: 0 })
  const [code, signal] = (await inTime('its end', once(child, 'exit'))) as [number, string]
  assert.deepEqual([code, signal], [0, null])
})
