/** Texts that an account owns of its order: told before money is spent, and left out where that is wished. */
import { counted } from '../../kit/text/counted.ts'
import { LIMITS } from '../../config/config.ts'
import { readWithin } from '../../kit/postgres/read-within.ts'
import type { DateInstants } from '../../model/jobs/date-bounds.ts'
import { findMeeting } from '../../model/jobs/owned-text.ts'
import type { LineSet, Order } from '../../model/jobs/order.ts'
import { collectionOf } from '../../model/library/collection.ts'
import { cost, dollars } from '../../model/money/money.ts'
import { isPage, type ListSource, subjectOf } from '../../model/platform/source.ts'
import { meetsWish, type TextWish } from '../../model/transcripts/caption-track.ts'
import type { Db, Tx } from '../../store/database.ts'
import {
  countOwnedListed,
  findOpenJobOf,
  findReadCollections,
  listDeliveredBySets,
  type OwnedRow,
  type ReadCollection,
  readOwnedTexts,
} from '../../store/owned-texts.ts'
import { findPreview, isCountNew, type PreviewRecord } from '../../store/previews.ts'

/** Returns, by video, the texts that the account owns and that meet the wish. */
export async function findOwned(
  db: Db,
  { language, wishedTrack, ...asked }: TextWish & { accountId: string; videoIds: string[] },
): Promise<Map<string, OwnedRow>> {
  const owned = new Map<string, OwnedRow>()
  for (const [videoId, texts] of await readOwnedTexts(db, asked)) {
    const text = findMeeting(texts, { language, wishedTrack })
    if (text !== null) owned.set(videoId, text)
  }
  return owned
}

/**
 * How many videos behind an order's lines the account owns by other orders; `isWhole` where no more can be, `isMore`
 * where there are more than are counted.
 */
export type OwnedCount = VideoCount & { isMore: boolean }
type VideoCount = { videos: number; isWhole: boolean }

/** An order to be made: a job's URL set, or that of each part of a batch. */
type OwnedAsk = OrderedSets & CountTerms
export type OrderedSets = TextWish & { accountId: string; sets: readonly LineSet[] }

/** How the owned videos of an order are counted. */
export type CountTerms = {
  /** The preview that the order names, and what the order takes; null where it names none. */
  preview: { id: string; order: PreviewedOrder } | null
  /** Time that counting may take, in milliseconds. */
  ownedCountMs: number
}

/** Terms that decide, beside its lines, what an order buys again; `maxVideos` is what it may take. */
type PreviewedOrder = DateInstants & { maxVideos: number; skipsOwned: boolean }

/** Facts of an order before it is made: what the account owns of it, and an open job that asks for the same. */
type KnownOfOrder = { owned: OwnedCount; openJobId: string | null }

/**
 * Looks at what an order asks for before anything is listed: named videos one by one, lists by their preview, or by
 * what the library has of them, a bounded number and for a bounded time. A list that was never read by this name is
 * not counted, and then the count is not whole.
 */
export async function lookAtOrder(tx: Tx, ask: OwnedAsk): Promise<KnownOfOrder> {
  const { accountId } = ask
  const lines = ask.sets.flatMap(({ lines: ofSet, urlSetHash }) =>
    ofSet.flatMap(({ source }) => (source === null ? [] : [{ source, urlSetHash }])),
  )
  const lists = lines.flatMap(({ source, ...line }) =>
    source.kind === 'video' ? [] : [{ ...line, source, subject: subjectOf(source) }],
  )
  const subjects = [...new Set(lists.map(({ subject }) => subject))]
  const ids = lists.flatMap(({ source }) => (isNamed(source) ? [] : [collectionOf(source).id]))
  const collections =
    lists.length === 0
      ? []
      : await findReadCollections(tx, { accountId, ids, names: subjects.filter(isPage) })
  const read = lists.flatMap(({ source, subject, urlSetHash }) => {
    const of = collections.filter(({ id, orderName }) =>
      isNamed(source) ? orderName === subject : id === collectionOf(source).id,
    )
    return of.slice(0, 1).map((collection) => ({ ...collection, urlSetHash }))
  })
  const named = lines.flatMap(({ source, urlSetHash }) =>
    source.kind === 'video' ? [{ videoId: source.videoId, urlSetHash }] : [],
  )
  const openJobId = await findOpenJobOf(tx, {
    accountId,
    subjects: [...subjects, ...named.map(({ videoId }) => videoId)],
    collectionIds: read.map(({ id }) => id),
  })
  const ofPreview = await countByPreview(tx, ask)
  if (ofPreview !== null) return { owned: ofPreview, openJobId }
  const ofNamed = await countNamed(tx, ask, named)
  const ofLists = await countLists(tx, { ...ask, named, read })
  const videos = ofNamed + ofLists.videos
  const isWhole = ofLists.isWhole && areWhole(lists, read)
  return { openJobId, owned: { videos, isWhole, isMore: videos > LIMITS.ownedCountedMax } }
}

/** Returns whether a list is named by a channel's page, which does not tell its id. */
function isNamed(source: ListSource): boolean {
  return source.kind !== 'playlist' && isPage(source.name)
}

/** Returns what the named preview counted; null where it is another order's, or the account has more by now. */
async function countByPreview(
  tx: Tx,
  { accountId, sets, language, wishedTrack, preview: named }: OwnedAsk,
): Promise<OwnedCount | null> {
  const [set, ...others] = sets
  if (named === null || set === undefined || others.length > 0) return null
  const preview = await findPreview(tx, { accountId, previewId: named.id })
  const isOfRequest =
    preview?.urlSetHash === set.urlSetHash &&
    preview.language === language &&
    preview.wishedTrack === wishedTrack &&
    isOfOrder(preview, named.order)
  if (!isOfRequest || preview.state !== 'ready' || preview.findings === null) return null
  if (!(await isCountNew(tx, preview.id))) return null
  const { sources } = preview.findings
  return {
    videos: sources.reduce((sum, { elsewhere = 0 }) => sum + elsewhere, 0),
    isWhole: sources.every(({ isComplete }) => isComplete),
    isMore: false,
  }
}

function isOfOrder(
  preview: PreviewRecord,
  { maxVideos, skipsOwned, ...bounds }: PreviewedOrder,
): boolean {
  const at = (date: Date | null): number | undefined => date?.getTime()
  return (
    preview.skipsOwned === skipsOwned &&
    preview.maxVideos >= maxVideos &&
    at(preview.afterAt) === at(bounds.afterAt) &&
    at(preview.beforeAt) === at(bounds.beforeAt)
  )
}

type NamedVideo = { videoId: string; urlSetHash: string }

async function countNamed(
  tx: Tx,
  { accountId, language, wishedTrack }: OwnedAsk,
  named: readonly NamedVideo[],
): Promise<number> {
  const videoIds = [...new Set(named.map(({ videoId }) => videoId))]
  const owned = await findOwned(tx, { accountId, language, wishedTrack, videoIds })
  const ofOwned = named.filter(({ videoId }) => owned.has(videoId))
  if (ofOwned.length === 0) return 0
  const urlSetHashes = [...new Set(ofOwned.map(({ urlSetHash }) => urlSetHash))]
  const delivered = await listDeliveredBySets(tx, { accountId, urlSetHashes, videoIds })
  const key = ({ videoId, urlSetHash }: NamedVideo): string => `${videoId} ${urlSetHash}`
  const bySets = new Set(delivered.map(key))
  return new Set(ofOwned.map(key).filter((one) => !bySets.has(one))).size
}

type ReadLists = OwnedAsk & {
  named: readonly NamedVideo[]
  read: readonly (ReadCollection & { urlSetHash: string })[]
}

/** Counts in the database. Where that takes too long, it is what the library counts in its collections. */
async function countLists(
  tx: Tx,
  { accountId, language: wish, wishedTrack, named, read, ownedCountMs }: ReadLists,
): Promise<VideoCount> {
  if (read.length === 0) return { videos: 0, isWhole: true }
  const max = LIMITS.ownedCountedMax
  const lists = read.map(({ id, urlSetHash }) => ({ collectionId: id, urlSetHash }))
  const languages = [...new Set(read.flatMap((one) => one.languages))]
  const counted = await readWithin(tx, ownedCountMs, () =>
    countOwnedListed(tx, {
      accountId,
      lists,
      not: named,
      languages: languages.filter((code) => meetsWish(code, wish)),
      wish,
      wishedTrack,
      max: max + 1,
    }),
  )
  if (counted !== null) return { videos: counted.videos, isWhole: counted.looked <= max }
  return { videos: read.reduce((sum, { delivered }) => sum + delivered, 0), isWhole: false }
}

/**
 * A tab of a channel is a part of its collection, and which one is not known. Of a playlist that was read in part, the
 * rest may be owned by other lists.
 */
function areWhole(
  lists: readonly { source: ListSource }[],
  read: readonly ReadCollection[],
): boolean {
  const isPart = lists.some(({ source }) => source.kind !== 'playlist' && source.tab !== null)
  return !isPart && read.length === lists.length && read.every(({ isWhole }) => isWhole)
}

/** Returns what an order that buys owned videos again tells before it does; nothing where it buys none. */
export function noticesOfOwned(
  owned: OwnedCount,
  { skipsOwned, maxVideos }: { skipsOwned: boolean; maxVideos: number },
  what: 'job' | 'batch' = 'job',
): string[] {
  if (skipsOwned || owned.videos === 0) return []
  return [
    `Other orders of this account have delivered ${videosOf(owned)} behind these URLs already: this ${what} is a new ` +
      `order and charges them again, ${priceAgain(owned, maxVideos)}. To leave out what you own, set \`owned=skip\`.`,
  ]
}

/** Returns "up to $0.10" where the price can be no higher, else what it is about, or more than. */
function priceAgain({ videos, isWhole, isMore }: OwnedCount, maxVideos: number): string {
  const counted = isMore ? LIMITS.ownedCountedMax : videos
  const isMost = isWhole || videos >= maxVideos
  const word = isMost ? 'up to' : isMore ? 'more than' : 'about'
  return `${word} ${dollars(cost(Math.min(counted, maxVideos)))}`
}

/** Returns that an open job asks for some of the same; nothing where none does. */
export function noticesOfOpenJob({ openJobId }: KnownOfOrder, { skipsOwned }: Order): string[] {
  if (openJobId === null) return []
  const what = `Job ${openJobId} is still open and asks for some of the same`
  return [
    skipsOwned
      ? `${what}: what it delivers first is left out here, free.`
      : `${what}: both are charged for what they deliver. To buy each text once, set \`owned=skip\`.`,
  ]
}

/** Returns "about 12 videos", where more than those may be owned. */
export function videosOf({ videos, isWhole, isMore }: OwnedCount): string {
  if (isMore) return `more than ${LIMITS.ownedCountedMax.toLocaleString('en')} videos`
  return `${isWhole ? '' : 'about '}${counted(videos, 'video')}`
}
