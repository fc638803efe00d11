/** What the server says of its standbys: all of it to a member of pg_monitor, and nothing wrong to other roles. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { observeServer } from '../../src/store/observations.ts'
import { startPromotable } from '../support/promoted-copy.ts'
import { until } from '../support/until.ts'

test('standbys, their lag and slots are told where the role may see them, and else are absent', async (t) => {
  const { old, makeCopy } = await startPromotable(t)
  const open = (url: string): Database => openDatabase({ url, connectionsMax: 1, name: 'test' })
  const copy = await makeCopy()
  const primary = open(old.url)
  const plainUrl = new URL(old.url)
  ;[plainUrl.username, plainUrl.password] = ['plain', 'plain']
  await primary.pool.query(`create role plain login password 'plain'`)
  const plain = open(plainUrl.href)
  t.after(() => Promise.all([primary.close(), plain.close()]))
  const nobody = { standbys: 0, lagBytes: null, slotBytes: 0 }
  for (const { db } of [primary, plain]) {
    const { connectionsUsed, connectionsMax, ...rest } = await observeServer(db)
    assert.deepEqual(rest, nobody)
    assert.equal(connectionsUsed, db === primary.db ? 1 : 2, 'those of other roles count, too')
    assert.equal(connectionsMax, 197, 'three of 200 are kept for superusers')
  }

  // The copy follows the old server, which has to let it in.
  const address = new URL(old.url)
  const cluster = address.searchParams.get('host') ?? ''
  fs.chmodSync(path.dirname(cluster), 0o711) // the copy runs as another user than the test
  fs.appendFileSync(path.join(cluster, 'pg_hba.conf'), 'local replication all scram-sha-256\n')
  await primary.pool.query('select pg_reload_conf()')
  const from = `host=${cluster} port=${address.searchParams.get('port')} user=${address.username} password=${address.password}`
  const standby = open(copy.url)
  await standby.pool.query(`alter system set primary_conninfo = '${from}'`)
  await standby.pool.query('select pg_reload_conf()')
  await primary.pool.query(`select pg_create_physical_replication_slot('kept', true)`)
  await until('the standby is seen', async () => (await observeServer(primary.db)).standbys === 1)

  await primary.pool.query(`select pg_logical_emit_message(true, 'test', repeat('x', 100000))`)
  await until(
    'the standby has caught up',
    async () => (await observeServer(primary.db)).lagBytes === 0,
  )
  const seen = await observeServer(primary.db)
  assert.equal(seen.standbys, 1)
  assert.ok(seen.slotBytes > 100_000, 'the slot that nobody reads keeps it')
  const hidden = await observeServer(plain.db)
  assert.deepEqual(
    { ...hidden, connectionsUsed: 0 },
    { ...seen, connectionsUsed: 0, standbys: null, lagBytes: null },
  )
  const ofStandby = await observeServer(standby.db)
  assert.equal(ofStandby.standbys, 0, 'a standby answers, too')
  await standby.close()

  await copy.stop()
  for (const { db } of [primary, plain])
    await until('it is gone', async () => (await observeServer(db)).standbys === 0)
})
