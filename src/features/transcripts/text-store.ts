/** Texts that lie in packs of an object store (TEXT_STORE): reads them, many with one request. */
import { crc32 } from 'node:zlib'
import { type Config, LIMITS } from '../../config/config.ts'
import {
  type ObjectStore,
  ObjectStoreError,
  openObjectStore,
  readObjectStore,
} from '../../kit/object-store.ts'
import type { Executor } from '../../kit/postgres/statement.ts'
import type { Db } from '../../store/database.ts'
import { Busy } from '../../kit/problem.ts'
import { ConfigError } from '../../kit/settings.ts'
import { keyOfRow, type RowKey } from '../../model/library/row-key.ts'
import {
  findPacked,
  findUsedFolder,
  type PackedBytes,
  type PackedPart,
} from '../../store/text-packs.ts'
import {
  readStoredTimes,
  readStoredWords,
  type StoredWords,
  type StoredWordTimes,
} from '../../store/transcripts.ts'

/** The store of this process; `trouble` is why its last request failed, null where it did not. */
export type TextStore = ObjectStore & { trouble: string | null }

/** Opens the store that the settings name; null where they name none. Throws ConfigError. */
export function openTextStore(config: Config): TextStore | null {
  const { TEXT_STORE, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secret } = config
  if (TEXT_STORE === null) return null
  if (accessKeyId === null || secret === null)
    throw new ConfigError('TEXT_STORE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  const { AWS_SESSION_TOKEN: token, AWS_REGION } = config
  const named = readObjectStore(TEXT_STORE)
  const place = { ...named, region: named.region ?? AWS_REGION }
  const session = token === null ? {} : { sessionToken: token }
  const keys = { accessKeyId, secretAccessKey: secret, ...session }
  const note = (trouble: string | null): void => void (store.trouble = trouble)
  const store: TextStore = { trouble: null, ...openObjectStore(place, keys, note) }
  return store
}

/** Returns why older texts are out of reach: the setting is missing, or names a place without them; else null. */
export async function whyOutOfReach(db: Db, textStore: TextStore | null): Promise<string | null> {
  const folder = await findUsedFolder(db)
  if (folder === null) return null
  if (textStore === null) return 'TEXT_STORE is not set, and they lie there'
  const objects = await textStore.list(`${folder}/`, '')
  return objects.length > 0 ? null : 'TEXT_STORE is another place than where they lie'
}

/** The means to read texts: the database, and the store in which some lie. */
export type KeptTexts = { db: Executor; textStore: TextStore | null }

/** The words of these rows, of any jobs, in no order; rows whose text is gone are missing. Throws TextAway. */
export async function readWordsOf(
  kept: KeptTexts,
  wanted: readonly RowKey[],
): Promise<StoredWords[]> {
  const rows = await readStoredWords(kept.db, wanted)
  return withPacked(kept, { part: 'words', name: 'stored' }, rows)
}

/** The word times of these rows, of any jobs, in no order; rows that have none are missing. Throws TextAway. */
export async function readWordTimesOf(
  kept: KeptTexts,
  wanted: readonly RowKey[],
): Promise<StoredWordTimes[]> {
  const rows = await readStoredTimes(kept.db, wanted)
  return withPacked(kept, { part: 'times', name: 'wordTimes' }, rows)
}

/**
 * Returns the rows, of those whose words or times lie in a pack with what lies there; a row whose text was deleted
 * meanwhile is missing. Throws TextAway where the store does not give it.
 */
export async function withPacked<Name extends string, Row extends RowKey & Record<Name, Buffer>>(
  kept: KeptTexts,
  { part, name }: { part: PackedPart; name: Name },
  rows: readonly Row[],
): Promise<Row[]> {
  const lying = rows.filter((row) => row[name].length === 0)
  if (lying.length === 0) return [...rows]
  const read = await readPacked(kept, part, lying)
  return rows.flatMap((row) => {
    const content = row[name].length === 0 ? read.get(keyOfRow(row)) : row[name]
    return content === undefined ? [] : [{ ...row, [name]: content }]
  })
}

/** How often an address is asked for: once more where a pack was written anew meanwhile, and once to be sure. */
const ADDRESS_TRIES = 3

/** Where a text is not, it may lie in another pack by now, or be deleted; then its address is asked for again. */
async function readPacked(
  { db, textStore }: KeptTexts,
  part: PackedPart,
  rows: readonly RowKey[],
): Promise<Map<string, Buffer>> {
  for (let tries = 1; ; tries += 1) {
    const found = await findPacked(db, part, rows)
    try {
      if (found.length > 0 && textStore === null)
        throw new ObjectStoreError('TEXT_STORE is not set')
      const contents = textStore === null ? [] : await readRanges(textStore, found)
      return new Map(found.map((one, at) => [keyOfRow(one), contents[at] ?? Buffer.alloc(0)]))
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error
      if (error.fault !== 'missing' || tries === ADDRESS_TRIES) throw new TextAway(error)
    }
  }
}

/** Texts are in the store, which does not give them now. */
export class TextAway extends Busy {
  /** Whether the store may give other texts. */
  readonly isAlone: boolean

  constructor(cause: ObjectStoreError) {
    super(
      'These words are kept in another store, which does not give them at the moment; try again after Retry-After seconds. Nothing is charged again.',
      LIMITS.textStore.retryAfterSeconds,
    )
    this.cause = cause
    this.isAlone = cause.fault !== 'any'
  }
}

type Range = { key: string; from: number; to: number; parts: { at: number; of: PackedBytes }[] }

/** Returns the bytes in their order. What lies close together is read at once, and each is checked by itself. */
async function readRanges(store: ObjectStore, wanted: readonly PackedBytes[]): Promise<Buffer[]> {
  const ranges = rangesOf(wanted)
  const contents: Buffer[] = wanted.map(() => Buffer.alloc(0))
  for (let at = 0; at < ranges.length; at += LIMITS.textStore.rangesAtOnce)
    await Promise.all(
      ranges.slice(at, at + LIMITS.textStore.rangesAtOnce).map(async ({ key, from, to, parts }) => {
        const cut = (all: Buffer, { at: begin, bytes }: PackedBytes): Buffer =>
          all.subarray(begin - from, begin - from + bytes)
        const isRight = (all: Buffer): boolean =>
          parts.every(({ of }) => crc32(cut(all, of)) === of.crc32)
        const all = await store.read(key, { from, bytes: to - from }, isRight)
        // Copies, so that a text that is held or sent to a thread holds no more than itself.
        for (const { at: place, of } of parts) contents[place] = Buffer.from(cut(all, of))
      }),
    )
  return contents
}

function rangesOf(wanted: readonly PackedBytes[]): Range[] {
  const { gapBytes, rangeBytes } = LIMITS.textStore
  const parts = wanted.map((of, at) => ({ of, at }))
  parts.sort(({ of: a }, { of: b }) => (a.key === b.key ? a.at - b.at : a.key < b.key ? -1 : 1))
  const ranges: Range[] = []
  for (const part of parts) {
    const { key, at: from, bytes } = part.of
    const to = from + bytes
    const last = ranges.at(-1)
    if (last?.key === key && from - last.to <= gapBytes && to - last.from <= rangeBytes) {
      last.to = Math.max(last.to, to)
      last.parts.push(part)
    } else ranges.push({ key, from, to, parts: [part] })
  }
  return ranges
}
