/**
 * Search indexes that hosts share through the object store of texts: what one has built another one fetches. A copy is
 * worth what a file is that was left in the folder: what it lacks is added, and one that is wrong is made again.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Logger } from 'pino'
import type pg from 'pg'
import { ObjectStoreError } from '../../kit/object-store.ts'
import { ThreadsClosed } from '../../kit/threads.ts'
import { findIndexCopy, listCopiesDue, recordIndexCopy } from '../../store/index-copies.ts'
import { openPackFolder } from '../../store/text-packs.ts'
import type { TextStore } from '../transcripts/text-store.ts'
import type { IndexFolder } from './index-folder.ts'
import type { IndexProcesses } from './index-processes.ts'

/** The means to keep indexes. */
export type IndexContext = {
  pool: pg.Pool
  textStore: TextStore | null
  processes: IndexProcesses
  folder: IndexFolder
  log: Logger
}

/** An index of fewer texts is built as fast as it is fetched. */
const SHARED_TEXTS_MIN = 500
const PART_BYTES = 8 * 1024 * 1024
/** Number of indexes that one sweep copies. */
const COPIES_AT_ONCE = 20

/**
 * Fetches the account's index where another host has copied it. Returns false where it has not, or the store does not
 * give it: then it is built.
 */
export async function fetchIndex(ctx: IndexContext, accountId: string): Promise<boolean> {
  const { pool, textStore, processes, folder, log } = ctx
  if (textStore === null) return false
  // A failover meanwhile makes it an index of an epoch that is over, as its name says then.
  const [format, path] = [folder.format(), folder.pathOf(accountId)]
  const copy = await findIndexCopy(pool, accountId, format)
  if (copy === null || copy.bytes > folder.bytesMax) return false
  const unfinished = folder.unfinishedOf(accountId)
  const file = await fs.open(unfinished, 'wx', 0o600)
  try {
    for (const [part, sum] of copy.parts.entries()) {
      const bytes = Math.min(copy.bytes - part * PART_BYTES, PART_BYTES)
      const isRight = (read: Buffer): boolean => crc32(read) === sum
      const key = `${copy.folder}/${copy.object}-${part}`
      await file.appendFile(await textStore.read(key, { from: 0, bytes }, isRight))
      await processes.writerUp() // a process that ends takes no more of it
    }
    await processes.write('remove', { path })
    await fs.rename(unfinished, path)
    return true
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error
    log.warn({ err: error, accountId }, 'a shared search index could not be fetched: it is built')
    return false
  } finally {
    await file.close()
    await fs.rm(unfinished, { force: true })
  }
}

/** Copies those of this host's indexes that have grown much since they were. */
export async function shareIndexes(ctx: IndexContext, textsMin = SHARED_TEXTS_MIN): Promise<void> {
  const { pool, textStore, folder, log } = ctx
  if (textStore === null) return
  const accountIds = folder.accounts()
  const asked = { accountIds, format: folder.format(), texts: textsMin, limit: COPIES_AT_ONCE }
  for (const { id } of await listCopiesDue(pool, asked))
    await shareIndex(ctx, textStore, id).catch((error: unknown) => {
      if (error instanceof ThreadsClosed) throw error
      log.warn({ err: error, accountId: id }, 'a search index could not be shared')
    })
}

async function shareIndex(ctx: IndexContext, store: TextStore, accountId: string): Promise<void> {
  const { pool, processes, folder } = ctx
  const [path, unfinished] = [folder.pathOf(accountId), folder.unfinishedOf(accountId)]
  const format = folder.format()
  try {
    const standing = await processes.write('copy', { path, to: unfinished })
    const [, lostTexts] = standing?.fingerprint.split('/') ?? []
    if (lostTexts === undefined) return // it is being built
    const [storeFolder, object] = [await openPackFolder(pool), randomUUID()]
    const parts: number[] = []
    let bytes = 0
    for await (const part of createReadStream(unfinished, { highWaterMark: PART_BYTES })) {
      await store.put(`${storeFolder}/${object}-${parts.length}`, part as Buffer)
      parts.push(crc32(part as Buffer))
      bytes += (part as Buffer).length
      await processes.writerUp()
    }
    const copy = { object, format, bytes, parts, lostTexts: Number(lostTexts) }
    await recordIndexCopy(pool, accountId, copy)
  } finally {
    await fs.rm(unfinished, { force: true })
  }
}
