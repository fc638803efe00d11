/**
 * The last release on the schema of today: its processes start, serve and run jobs beside those of today,
 * so that machines are upgraded one by one, and may go back.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../conformance/http.ts'
import { temporaryFolder } from '../support/embedded-process.ts'
import { findRelease, unpackRelease } from '../support/last-release.ts'
import { checkBooks, openFleet } from './fleet.ts'

test('a process of the last release starts and works on the schema of today, and one of today goes on after it', async (t) => {
  const release = findRelease()
  if (release === null) return t.skip('this copy has no history: the last release is not here')
  const old = unpackRelease(release, temporaryFolder(t))
  const { database, start, customer, moved } = await openFleet(t)
  const today = await start({})
  const who = await customer(today)
  const first = await who.orders({ urls: ['@dailynotes'], maxVideos: 2 })

  // The upgrade is taken back: the older program alone, on the newer database.
  await today.ends('SIGTERM')
  const before = await start({}, { main: old })
  const there = moved(who, before)
  assert.deepEqual((await there.readsRows(first.job)).map(textOf), first.rows.map(textOf))
  const second = await there.orders({ urls: ['@dailynotes'], maxVideos: 2 })
  assert.equal(second.job['progress'].delivered, 2)

  // One by one: both at work, then the older one goes.
  const again = await start({})
  const running = await there.startsJob({ urls: ['@captionlab'], maxVideos: 40 })
  assert.equal(await before.ends('SIGTERM'), 0)
  const ended = await moved(who, again).waitsFor(running)
  assert.equal(ended['state'], 'finished')
  await again.ends('SIGTERM')
  await checkBooks(database)
})

const textOf = ({ text }: Json): unknown => text
