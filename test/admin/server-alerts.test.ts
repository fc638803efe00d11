/** Gauges of the server and of backups, as they are scraped, and the alerts that they fire. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { backup } from '../../src/features/backup/backup.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { MetricSources } from '../../src/metrics/shared-gauges.ts'
import { openDriftWatch } from '../../src/platform/drift/drift-watch.ts'
import { testDatabase } from '../support/database.ts'
import { needs } from '../support/needs.ts'
import { agreesWithPromtool } from '../support/prometheus/promtool.ts'
import {
  firstFirings,
  openScrapes,
  readAlertRules,
  SCRAPE_MS,
} from '../support/prometheus/rules.ts'

const HOUR_MS = 3_600_000
const SCRAPES = 100
const watch = openDriftWatch()

test('a backup of yesterday is told, and one that is not whole is none', async (t) => {
  const { db, pool } = await testDatabase(t)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-backups-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const ageAt = async (now: Date, backupDir: string | null): Promise<string | undefined> => {
    const text = await createMetrics({ backupDir, lookAtHosts: null }).print(db, { now, watch })
    return /\nscriptorium_backup_age_seconds (\S+)\n/.exec(text)?.[1]
  }
  assert.equal(await ageAt(new Date(0), folder), undefined, 'there is none')
  const { createdAt } = await backup(pool, path.join(folder, 'one'))
  const at = new Date(createdAt)
  assert.equal(await ageAt(new Date(at.getTime() + 27 * HOUR_MS), folder), String(27 * 3600))
  await backup(pool, path.join(folder, 'two'))
  fs.renameSync(path.join(folder, 'two'), path.join(folder, 'two.unfinished-1'))
  assert.equal(await ageAt(at, folder), '0', 'a process that was killed left a part of one')
  assert.equal(await ageAt(at, null), undefined)
  assert.equal(await ageAt(at, path.join(folder, 'none')), undefined)
})

test('two primaries page at once, a lost standby and an old backup open tickets', async (t) => {
  const database = await testDatabase(t)
  const scrapes = openScrapes()
  const times: number[] = []
  let primaries = 1
  const sources: MetricSources = {
    backupDir: null,
    lookAtHosts: async () => [
      { found: { isWritable: true } },
      { found: { isWritable: primaries > 1 } },
      { found: null },
    ],
  }
  const metrics = createMetrics(sources)
  metrics.ready.set(1)
  for (let scrape = 0; scrape < SCRAPES; scrape += 1) {
    const isAfter = scrape >= SCRAPES / 2
    if (isAfter) primaries = 2
    const atMs = scrape * SCRAPE_MS
    const text = await metrics.print(database.db, { now: new Date(atMs), watch })
    // What takes hours or a second server is written over what was scraped.
    const of = (gauge: string, value: number): void => void values.set(gauge, value)
    const values = new Map<string, number>()
    of('scriptorium_standbys', isAfter ? 0 : 1)
    of('scriptorium_commits_hang', isAfter ? 1 : 0)
    of('scriptorium_database_connections_used', isAfter ? 95 : 10)
    of('scriptorium_database_connections_max', 100)
    of('scriptorium_standby_lag_bytes', isAfter ? 2e9 : 0)
    of('scriptorium_wal_slot_bytes', isAfter ? 2e10 : 0)
    of('scriptorium_backup_age_seconds', isAfter ? 27 * 3600 : 3600)
    const kept = text.split('\n').filter((line) => !values.has(line.split(' ')[0] ?? ''))
    const lines = [...values].map(([gauge, value]) => `${gauge} ${value}`)
    scrapes.scrape([...kept, ...lines].join('\n'), atMs)
    times.push(atMs)
  }
  const series = scrapes.series()
  const firings = firstFirings(readAlertRules(), series, times)
  const beganMs = (SCRAPES / 2) * SCRAPE_MS
  assert.deepEqual(
    Object.fromEntries(
      [...firings].map(([name, atMs]) => [name, Math.floor((atMs - beganMs) / 60_000)]),
    ),
    {
      ScriptoriumTwoPrimaries: 0,
      ScriptoriumCommitsHang: 1,
      ScriptoriumStandbyGone: 5,
      ScriptoriumStandbyLags: 10,
      ScriptoriumWalKept: 10,
      ScriptoriumConnectionsUsedUp: 5,
      ScriptoriumBackupOld: 5,
    },
  )
  await t.test('promtool agrees', needs('promtool'), (one) =>
    agreesWithPromtool(one, { series, times, firings }),
  )
})
