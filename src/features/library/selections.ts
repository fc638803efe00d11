/** Finds what a selection names: jobs, batches by their jobs, collections and rows of one account. */
import { ROW_INDEX_MAX } from '../../model/files/addresses.ts'
import type { RowKey } from '../../model/library/row-key.ts'
import type { Collection } from '../../model/library/collection.ts'
import { type ChosenParts, notOwned } from '../../model/library/selection.ts'
import { findBatch } from '../../store/batches.ts'
import { findCollection } from '../../store/collections.ts'
import type { Db } from '../../store/database.ts'
import { findJob, type JobRecord, listJobsOfBatch } from '../../store/jobs.ts'
import { findRowWithText } from './read-library.ts'

type Chosen = {
  /** The jobs of each batch together, then those that are named, each once. */
  orders: JobRecord[][]
  collections: Collection[]
  /** The rows that hold the texts of the named rows; a row without a text stands for itself. */
  rows: RowKey[]
}

/** Looks up each part by its id. Throws not_found that names the first which the account does not have. */
export async function findChosen(
  db: Db,
  accountId: string,
  selection: ChosenParts,
): Promise<Chosen> {
  const single = new Map<string, JobRecord>()
  for (const jobId of selection.jobs) {
    const job = await findJob(db, { accountId, jobId })
    single.set(jobId, job ?? missing(`job ${jobId}`))
  }
  const batches: JobRecord[][] = []
  for (const batchId of selection.batches) {
    if ((await findBatch(db, { accountId, batchId })) === null) missing(`batch ${batchId}`)
    batches.push(await listJobsOfBatch(db, { accountId, batchId }))
  }
  for (const { id } of batches.flat()) single.delete(id)
  const collections: Collection[] = []
  for (const id of selection.collections) {
    const collection = await findCollection(db, { accountId, id })
    collections.push(collection ?? missing(`collection ${id}`))
  }
  const rows: RowKey[] = []
  for (const { jobId, index } of selection.rows) {
    const isPossible = index <= ROW_INDEX_MAX
    const row = isPossible ? await findRowWithText(db, { accountId, jobId, index }) : null
    rows.push((row ?? missing(`row ${index} of job ${jobId}`)).text ?? { jobId, index })
  }
  const orders = [...batches, ...[...single.values()].map((job) => [job])]
  return { orders, collections, rows }
}

function missing(what: string): never {
  throw notOwned(what)
}
