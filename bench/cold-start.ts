/**
 * Cold start of the embedded database: from the call to a connection that answers, with a new data
 * folder (initdb included) and with an old one. Goals: under 3 s and under 1 s; printed, not asserted.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/kit/postgres/embedded/embedded-postgres.ts'
import type { BenchOptions } from './bench.ts'
import { median } from './table.ts'

const SILENT = { info: () => undefined, warn: () => undefined }

/** Medians in milliseconds. */
export type ColdStartResult = { newFolderMs: number; oldFolderMs: number; stopMs: number }

/** Prints one line per kind of start; `smoke` measures once. */
export async function run({ smoke }: BenchOptions): Promise<ColdStartResult> {
  const rounds = smoke ? 1 : 5
  const times = { new: [] as number[], old: [] as number[], stop: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-bench-'))
    try {
      for (const kind of ['new', 'old'] as const) {
        const started = performance.now()
        const server = await startEmbeddedPostgres({ dataDir, log: SILENT })
        await askOnce(server.url)
        times[kind].push(performance.now() - started)
        const stopped = performance.now()
        await server.stop()
        times.stop.push(performance.now() - stopped)
      }
    } finally {
      fs.rmSync(dataDir, { recursive: true, force: true })
    }
  }
  const result = {
    newFolderMs: Math.round(median(times.new)),
    oldFolderMs: Math.round(median(times.old)),
    stopMs: Math.round(median(times.stop)),
  }
  console.log(`cold start, new data folder: ${result.newFolderMs} ms (goal 3000)`)
  console.log(`cold start, old data folder: ${result.oldFolderMs} ms (goal 1000)`)
  console.log(`stop of the last user:       ${result.stopMs} ms`)
  return result
}

async function askOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url }).on('error', () => undefined)
  await client.connect()
  await client.query('select 1')
  await client.end()
}
