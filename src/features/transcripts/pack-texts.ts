/**
 * Packs texts into the object store, a few megabytes an object: a worker now and then, or the operator at once. An
 * object is written and read back before a row leads to it; one to which no row leads is removed later.
 */
import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { LIMITS } from '../../config/config.ts'
import { ObjectStoreError } from '../../kit/object-store.ts'
import { keyOfRow } from '../../model/library/row-key.ts'
import { type Db, readClock } from '../../store/database.ts'
import { deleteStaleCopies } from '../../store/index-copies.ts'
import * as packs from '../../store/text-packs.ts'
import {
  readWordsOf,
  readWordTimesOf,
  TextAway,
  type TextStore,
  whyOutOfReach,
} from './text-store.ts'

export { vacuumTexts } from '../../store/text-packs.ts'

/** Texts and bytes that went into packs so far, and objects that were removed. */
export type Packed = { texts: number; bytes: number; removed: number }

type Packing = {
  db: Db
  pool: pg.Pool
  textStore: TextStore
  /** How long ago a job ended whose texts are packed. */
  minSeconds: number
  /** Whether nothing waits: not what would be a small pack, no deleted text, and no other process. */
  isAll: boolean
  /** Ends the work between two packs. */
  signal?: AbortSignal
  onProgress?: (packed: Packed) => void
}
type InFolder = Packing & {
  folder: string
  done: (more: Partial<Packed>) => void
  unread: TextAway[]
}

const { packBytes, packTexts: packTextsMax, ...WAITS } = LIMITS.textStore
const JOBS_AT_ONCE = 1_000
const SPOILT_AT_ONCE = 8
const SPOILT_MAX = 10_000

/** Works as the only process that removes packs; waits for another one, or returns `whenBusy`. */
export async function holdingPacks<T, Busy = never>(
  pool: pg.Pool,
  work: () => Promise<T>,
  whenBusy?: Busy,
): Promise<T | Busy> {
  const session = await pool.connect()
  try {
    if (whenBusy === undefined) await packs.waitForPacks(session)
    else if (!(await packs.lockPacks(session))) return whenBusy
    return await work()
  } finally {
    const isUnlocked = await packs.lockPacks(session, false).catch(() => false)
    session.release(!isUnlocked || whenBusy === undefined) // the lock ends with the session
  }
}

/**
 * Writes packs anew that hold deleted texts, packs what is due, and removes what no row leads to. Throws in the end
 * where a pack could not be read.
 */
export async function packTexts(packing: Packing): Promise<Packed> {
  const all: Packed = { texts: 0, bytes: 0, removed: 0 }
  const done = (more: Partial<Packed>): void => {
    for (const [name, count] of Object.entries(more)) all[name as keyof Packed] += count
    if (Object.values(more).some((count) => count > 0)) packing.onProgress?.(all)
  }
  const work = async (): Promise<Packed> => {
    const why = await whyOutOfReach(packing.db, packing.textStore)
    if (why !== null) throw new ObjectStoreError(`older texts: ${why}`)
    const folder = await packs.openPackFolder(packing.db)
    const ctx: InFolder = { ...packing, done, folder, unread: [] }
    await deleteStaleCopies(packing.pool)
    await cleanPacks(ctx)
    await packDue(ctx)
    await removeUnknown(ctx)
    if (ctx.unread[0] !== undefined) throw ctx.unread[0].cause
    return all
  }
  return holdingPacks(packing.pool, work, packing.isAll ? undefined : all)
}

async function packDue(ctx: InFolder): Promise<void> {
  const { db, minSeconds, isAll, signal, done } = ctx
  for (;;) {
    if (signal?.aborted === true) return
    const jobs = await packs.listEndedJobs(db, { minSeconds, limit: JOBS_AT_ONCE })
    const unpacked = await packs.listUnpacked(db, { jobs, limit: packTextsMax })
    const [texts, more] = groupsOf(unpacked)
    let packedJobs = jobs.length
    if (texts !== undefined) {
      const isSmall = more === undefined && unpacked.length < packTextsMax
      const oldest = jobs.find(({ id }) => id === texts[0]?.jobId)
      const isOld = (oldest?.seconds ?? 0) > minSeconds + WAITS.smallPackSeconds
      if (isSmall && !isAll && !isOld && jobs.length < JOBS_AT_ONCE) return
      const packed = await packGroup(ctx, texts)
      if (packed === 0) return // others hold all of them: the next time
      done({ texts: packed, bytes: texts.reduce((sum, { bytes }) => sum + bytes, 0) })
      const isWhole = packed === texts.length
      packedJobs = isWhole ? jobs.findIndex(({ id }) => id === texts.at(-1)?.jobId) : 0
    }
    const last = jobs[packedJobs - 1]
    if (last !== undefined) await packs.setPackedUntil(db, last)
    if (texts === undefined && jobs.length < JOBS_AT_ONCE) return
  }
}

/**
 * Writes what is left in packs with deleted texts into new ones. The old ones are removed the next time: a standby that
 * takes over until then may not know the new ones.
 */
async function cleanPacks(ctx: InFolder): Promise<void> {
  const { db, isAll, signal } = ctx
  const minSeconds = isAll ? 0 : WAITS.spoiltSeconds
  const spoilt = await packs.listSpoiltPacks(db, { minSeconds, limit: SPOILT_MAX })
  await packs.deleteSpoiltPacks(db, await removeUnused(ctx, spoilt))
  for (let at = 0; at < spoilt.length; at += SPOILT_AT_ONCE) {
    if (signal?.aborted === true) return
    for (const texts of groupsOf(
      await packs.listTextsIn(db, spoilt.slice(at, at + SPOILT_AT_ONCE)),
    ))
      await repack(ctx, texts)
  }
}

/** A pack that cannot be read keeps none of the others from being cleaned, not even those that would join it. */
async function repack(ctx: InFolder, texts: packs.PackableText[]): Promise<void> {
  try {
    await packGroup(ctx, texts)
  } catch (error) {
    if (!(error instanceof TextAway)) throw error
    ctx.unread.push(error)
    const byPack = [...Map.groupBy(texts, ({ pack }) => pack).values()]
    if (error.isAlone && byPack.length > 1) for (const some of byPack) await repack(ctx, some)
  }
}

/** Removes old objects to which no row leads, as a crash leaves them, or a failover that lost rows. */
async function removeUnknown(ctx: InFolder): Promise<void> {
  const { db, textStore, folder, isAll } = ctx
  if (!(await packs.claimListing(db, isAll ? 0 : WAITS.listedSeconds))) return
  const before = (await readClock(db)).getTime() - WAITS.spoiltSeconds * 1_000
  for await (const objects of listPacks(textStore, folder)) {
    const old = objects.filter(({ modifiedAt }) => modifiedAt.getTime() < before)
    const names = old.map(({ key }) => key.slice(folder.length + 1))
    await removeUnused(
      ctx,
      names.filter((name) => NAME.test(name)),
    )
  }
}

/** A pack, or a part of a search index (shared-indexes.ts). */
const NAME = /^[\da-f-]{36}(-\d+)?$/
const ID_CHARS = 36

/** Removes those of these objects to which no row leads, and returns their names. */
async function removeUnused(ctx: InFolder, names: readonly string[]): Promise<string[]> {
  const ids = names.map((name) => name.slice(0, ID_CHARS))
  const unused = new Set(await packs.listUnused(ctx.db, ids))
  const removed = names.filter((name) => unused.has(name.slice(0, ID_CHARS)))
  for (const name of removed) await ctx.textStore.remove(`${ctx.folder}/${name}`)
  ctx.done({ removed: removed.length })
  return removed
}

async function* listPacks(textStore: TextStore, folder: string) {
  for (let after = ''; ;) {
    const objects = await textStore.list(`${folder}/`, after)
    yield objects
    after = objects.at(-1)?.key ?? ''
    if (after === '') return
  }
}

/** Returns how many objects there are, and their bytes. Throws ObjectStoreError. */
export async function measureStore(db: Db, textStore: TextStore) {
  const sizes = { objects: 0, bytes: 0 }
  for await (const objects of listPacks(textStore, await packs.openPackFolder(db))) {
    sizes.objects += objects.length
    for (const { sizeBytes } of objects) sizes.bytes += sizeBytes
  }
  return sizes
}

/** Parts texts into what one pack takes: more than its bytes only where a single text has them. */
function groupsOf(texts: readonly packs.PackableText[]): packs.PackableText[][] {
  const groups: packs.PackableText[][] = []
  let left = 0
  for (const text of texts) {
    if (text.bytes > left) groups.push([])
    left = (text.bytes > left ? packBytes : left) - text.bytes
    groups.at(-1)?.push(text)
  }
  return groups
}

/** Writes texts into a new pack, wherever they lie now. Returns how many lie there then. */
async function packGroup(ctx: InFolder, texts: readonly packs.PackableText[]): Promise<number> {
  const { db, textStore, folder } = ctx
  const [words, times] = [await readWordsOf(ctx, texts), await readWordTimesOf(ctx, texts)]
  const wordsOf = new Map(words.map((found) => [keyOfRow(found), found.stored]))
  const timesOf = new Map(times.map((found) => [keyOfRow(found), found.wordTimes]))
  const contents: Buffer[] = []
  let at = 0
  const lying = texts.flatMap(({ jobId, index, pack: before }): packs.PackedText[] => {
    const [body, time] = [wordsOf, timesOf].map((of) => of.get(keyOfRow({ jobId, index })))
    if (body === undefined) return []
    const place = { jobId, index, before, at, bodyBytes: body.length, bodyCrc32: crc32(body) }
    contents.push(body, time ?? Buffer.alloc(0))
    at += body.length + (time?.length ?? 0)
    const timesCrc32 = time === undefined ? null : crc32(time)
    return [{ ...place, timesBytes: time?.length ?? null, timesCrc32 }]
  })
  if (lying.length === 0) return 0
  const [pack, content] = [randomUUID(), Buffer.concat(contents)]
  await textStore.put(`${folder}/${pack}`, content)
  const range = { from: 0, bytes: content.length }
  await textStore.read(`${folder}/${pack}`, range, (written) => written.equals(content))
  return packs.recordPack(db, pack, lying)
}
