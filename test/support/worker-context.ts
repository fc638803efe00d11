/** A worker context for one part of the worker, over a platform that refuses all use unless a test replaces it. */
import { pino } from 'pino'
import { createUsageMeter } from '../../src/features/operator/usage-meter.ts'
import { openTextReader } from '../../src/features/transcripts/read-stored.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { Db } from '../../src/store/database.ts'
import { openSlots, type WorkerContext } from '../../src/worker/worker-context.ts'

/** Returns a context with one of everything; `given` replaces members. */
export function testWorkerContext(db: Db, given: Partial<WorkerContext> = {}): WorkerContext {
  return {
    db,
    textReader: openTextReader(), // a thread starts with a long text only, and ends with its process
    platform: { onBehalfOf: notAsked },
    slots: openSlots({ videos: 1, connections: 1 }),
    allowance: { callsPerDay: 500, callsPerUsd: 250 },
    budget: { lostMax: 5, timeLimitMs: 60_000 },
    videosMax: 1,
    wantsDates: true,
    keepsWordTimes: true,
    previewPagesMax: 1,
    usage: createUsageMeter(),
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    databaseBack: async () => undefined,
    ...given,
  }
}

function notAsked(): never {
  throw new Error('the platform is not asked')
}
