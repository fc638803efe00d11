/** Calls of hand-written SQL about batches. */
import * as batches from '../../src/store/batches.ts'
import { findJobsById } from '../../src/store/jobs.ts'
import { countOrders, listOrders, searchOrders } from '../../src/store/order-list.ts'
import { countRowsOfLines, listLinesOfJobs } from '../../src/store/batch-lines.ts'
import type { Db, Tx } from '../../src/store/database.ts'
import { PLAIN_ORDER } from '../support/orders.ts'

const [accountId, batchId, urlSetHash] = ['account', 'batch', 'hash']
const owned = { accountId, batchId }
const place = { part: 0, slot: 1, taken: 2, failures: 0 }
const spender = { connectionId: null, keyId: 'key' }
const made = {
  ...spender,
  id: batchId,
  accountId,
  name: null,
  order: PLAIN_ORDER,
  bodyHash: 'hash',
}

export const BATCH_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ tx }) => batches.insertBatch(tx, made),
  ({ db }) => batches.findRunningBatch(db, { accountId, urlSetHash }),
  ({ db }) => batches.findRunningBatch(db, { accountId, bodyHash: 'hash' }),
  ({ db }) => batches.countBatches(db, accountId),
  ({ db }) => batches.listIdsOfBatch(db, owned),
  ({ tx }) => batches.deleteOldBatches(tx, { accountId, keptMax: 1 }),
  ({ db }) => batches.listBatches(db, { accountId, offset: 0, limit: 1 }),
  ({ db }) => batches.findListedBatches(db, accountId, [batchId]),
  ({ db }) => findJobsById(db, accountId, ['no-job']),
  ({ db }) => listLinesOfJobs(db, accountId, ['no-job']),
  ({ db }) => countRowsOfLines(db, ['no-job']),
  ({ db }) => listOrders(db, { accountId, offset: 0, limit: 1 }),
  ({ db }) =>
    searchOrders(
      db,
      { accountId, offset: 0, limit: 1, most: 2 },
      { states: ['finished'], words: 'w' },
    ),
  ({ db }) => countOrders(db, accountId).catch(() => 0), // of no account
  ({ db }) => batches.findBatch(db, owned),
  ({ tx }) => batches.findBatch(tx, owned, 'locked'),
  ({ tx }) => batches.setBatchName(tx, batchId, 'name'),
  ({ tx }) => batches.continueBatch(tx, batchId, { ...place, ...spender }),
  ({ tx }) => batches.stopBatch(tx, batchId, 'notice'),
  ({ tx }) => batches.hastenBatch(tx, batchId),
  ({ db }) => batches.claimBatches(db, { max: 1, leaseSeconds: 1 }),
  ({ db }) =>
    batches.recordStep(
      db,
      { id: batchId, slot: 0, state: 'running' },
      { place, state: 'stopped', notice: null, againSeconds: null },
    ),
  ({ db }) => batches.findBatchJob(db, { accountId, id: batchId, slot: 0 }),
  ({ db }) => batches.findBatchesOfJobs(db, accountId, ['no-job']),
  ({ db }) => batches.listBatchJobs(db, accountId, [{ id: batchId }]),
]
