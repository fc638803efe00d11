/** What an account owns of what it is about to order: told before money is spent, and left out where that is wished. */
import { findMeeting } from '../../model/jobs/owned-text.ts'
import type { JobRequest } from '../../model/jobs/job-request.ts'
import { collectionOf } from '../../model/library/collection.ts'
import { cost, dollars } from '../../model/money/money.ts'
import { type ListSource, readSource, type Source } from '../../model/platform/source.ts'
import type { Db } from '../../store/database.ts'
import { readHistory } from '../../store/history.ts'
import {
  listOrderedLines,
  listOwnedElsewhere,
  listReadCollections,
  type OwnedRow,
  readOwnedTexts,
} from '../../store/owned-texts.ts'
import { findPreview } from '../../store/previews.ts'

/** Returns, by video, the texts that the account owns and that meet the wish: `original` or a language code. */
export async function findOwned(
  db: Db,
  { language, ...asked }: { accountId: string; language: string; videoIds: string[] },
): Promise<Map<string, OwnedRow>> {
  const owned = new Map<string, OwnedRow>()
  for (const [videoId, texts] of await readOwnedTexts(db, asked)) {
    const text = findMeeting(texts, language)
    if (text !== null) owned.set(videoId, text)
  }
  return owned
}

/** How many videos behind an order's lines the account owns by other orders; `isWhole` where no more can be. */
export type OwnedCount = { videos: number; isWhole: boolean }

type Ask = {
  accountId: string
  request: Pick<JobRequest, 'urls' | 'urlSetHash' | 'language'>
  previewId: string | null
}

/**
 * Counts before anything is listed: named videos one by one, lists by their preview, or by what the library has.
 * A list that was never read by this name is not counted, and then the count is not whole.
 */
export async function countOwned(db: Db, ask: Ask): Promise<OwnedCount> {
  return (await countByPreview(db, ask)) ?? (await countByLibrary(db, ask))
}

async function countByPreview(
  db: Db,
  { accountId, request, previewId }: Ask,
): Promise<OwnedCount | null> {
  if (previewId === null) return null
  const preview = await findPreview(db, { accountId, previewId })
  const isOfRequest =
    preview?.urlSetHash === request.urlSetHash && preview.language === request.language
  if (!isOfRequest || preview.state !== 'ready' || preview.findings === null) return null
  const { sources } = preview.findings
  return {
    videos: sources.reduce((sum, { elsewhere = 0 }) => sum + elsewhere, 0),
    isWhole: sources.every(({ isComplete }) => isComplete),
  }
}

async function countByLibrary(db: Db, { accountId, request }: Ask): Promise<OwnedCount> {
  const { urls, urlSetHash, language } = request
  const sources = urls
    .map(readSource)
    .flatMap((read) => (read.kind === 'source' ? [read.source] : []))
  const named = sources.flatMap((source) => (source.kind === 'video' ? [source.videoId] : []))
  const lists = sources.filter((source) => source.kind !== 'video')
  const collectionIds = await findCollections(db, accountId, lists)
  const listed = await listOwnedElsewhere(db, { accountId, urlSetHash, collectionIds })
  const videoIds = [...new Set([...named, ...listed])]
  const owned = await findOwned(db, { accountId, language, videoIds })
  const history = await readHistory(db, { accountId, urlSetHash, videoIds: named })
  const elsewhere = [...owned.keys()].filter((id) => history.get(id)?.entry.kind !== 'delivered')
  return { videos: elsewhere.length, isWhole: areWhole(lists, collectionIds) }
}

/** A tab of a channel is a part of its collection, and which one is not known. */
function areWhole(lists: ListSource[], collectionIds: string[]): boolean {
  const isPart = lists.some((source) => source.kind !== 'playlist' && source.tab !== null)
  return !isPart && collectionIds.length === lists.length
}

/** Returns the collection of each list that the account has read before, by whatever name it ordered them. */
async function findCollections(db: Db, accountId: string, lists: ListSource[]): Promise<string[]> {
  if (lists.length === 0) return []
  const isNamed = (source: ListSource): boolean =>
    source.kind !== 'playlist' && !source.name.startsWith('UC')
  const lines = lists.some(isNamed) ? await listOrderedLines(db, accountId) : []
  const known = new Map(
    lines.flatMap(({ line, collectionId }) => {
      const name = nameOf(readSource(line))
      return name === null ? [] : [[name, collectionId] as const]
    }),
  )
  const ids = lists.flatMap((source) => {
    if (!isNamed(source)) return [collectionOf(source).id]
    const name = nameOf({ kind: 'source', source })
    return (name === null ? undefined : known.get(name)) ?? []
  })
  const read = new Set(await listReadCollections(db, { accountId, ids }))
  return ids.filter((id) => read.has(id))
}

/** Returns a channel's name without regard to case, which makes no difference there; null for other sources. */
function nameOf(reading: { kind: 'source'; source: Source } | { kind: 'rejected' }): string | null {
  if (reading.kind === 'rejected') return null
  const { source } = reading
  return source.kind === 'channel' || source.kind === 'lists' ? source.name.toLowerCase() : null
}

/** Returns what an order that buys owned videos again tells before it does; nothing where it buys none. */
export function noticesOfOwned(
  owned: OwnedCount,
  { skipsOwned, maxVideos }: Pick<JobRequest, 'skipsOwned' | 'maxVideos'>,
  what: 'job' | 'batch' = 'job',
): string[] {
  if (skipsOwned || owned.videos === 0) return []
  const charged = Math.min(owned.videos, maxVideos)
  return [
    `Other orders of this account have delivered ${videosOf(owned)} behind these URLs already: this ${what} is a new ` +
      `order and charges them again, up to ${dollars(cost(charged))}. To leave out what you own, set \`owned=skip\`.`,
  ]
}

/** Returns "about 12 videos", where more than those may be owned. */
export function videosOf({ videos, isWhole }: OwnedCount): string {
  return `${isWhole ? '' : 'about '}${videos === 1 ? '1 video' : `${videos} videos`}`
}
