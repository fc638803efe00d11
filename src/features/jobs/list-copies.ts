/**
 * Copies of lists: the pages of a list as the platform sent them within the hour, for all jobs and accounts.
 * A page is stored as gzipped JSON; only this file packs and unpacks it.
 */
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LIMITS } from '../../kit/config/config.ts'
import type { ListingAnswer } from '../../platform/platform.ts'
import type { Db } from '../../store/database.ts'
import {
  type CopiedPage,
  findCopy,
  findPage,
  insertCopy,
  keepPage,
} from '../../store/list-copies.ts'

export type ListPage = Extract<ListingAnswer, { kind: 'page' }>
/** A page and the instant at which the platform was asked for it. */
export type DatedPage = { askedAt: Date; page: ListPage }
/** Where a page stands in its copy. */
export type PlaceInCopy = { copyId: string; cursor: string }

const gzip = promisify(zlib.gzip)
const gunzip = promisify(zlib.gunzip)
const maxSeconds = LIMITS.listCopySeconds

/** The newest copy of the list, by its first page; null where there is none of the last hour. */
export async function readCopy(
  db: Db,
  listKey: string,
): Promise<(DatedPage & { copyId: string }) | null> {
  const copy = await findCopy(db, { listKey, maxSeconds })
  return copy === null ? null : { copyId: copy.id, ...(await unpack(copy)) }
}

/** Begins a copy with the list's first page and returns its id. */
export async function beginCopy(
  db: Db,
  listKey: string,
  { askedAt, page }: DatedPage,
): Promise<string> {
  return insertCopy(db, listKey, { askedAt, body: await pack(page) })
}

/** Null where nobody has read that page, or the copy is too old. */
export async function readCopiedPage(db: Db, place: PlaceInCopy): Promise<DatedPage | null> {
  const copied = await findPage(db, { ...place, maxSeconds })
  return copied === null ? null : unpack(copied)
}

/** Adds a page to its copy, or replaces it; does nothing where the copy was swept. */
export async function keepCopiedPage(
  db: Db,
  place: PlaceInCopy,
  { askedAt, page }: DatedPage,
): Promise<void> {
  await keepPage(db, place, { askedAt, body: await pack(page) })
}

function pack(page: ListPage): Promise<Buffer> {
  return gzip(JSON.stringify(page))
}

async function unpack({ askedAt, body }: CopiedPage): Promise<DatedPage> {
  return { askedAt, page: JSON.parse((await gunzip(body)).toString()) as ListPage }
}
