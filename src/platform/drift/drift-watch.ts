/**
 * The drift watch: keeps an average of each verdict on each part of the way to the platform, and notices when one
 * leaves what was usual in the last days. A visit costs a few steps for each verdict, and what is kept is bounded.
 */
import { setLatest } from '../../kit/latest.ts'
import {
  afterAnswer,
  type Average,
  describeDrift,
  describeRetired,
  type Drift,
  type ShareBook,
  type Usual,
  usualOf,
  type WatchedShare,
} from '../../model/platform/drift-line.ts'
import {
  type CountedAnswer,
  countedOf,
  GOOD_VERDICT,
  type PartOf,
  readPartName,
  type Visit,
} from '../../model/platform/visit.ts'

export type DriftWatch = ShareBook & {
  /** Counts a visit. Returns the clients that failed where another one delivered, and whose verdict is in drift. */
  note(visit: Visit): string[]
  /** Makes the lines name the client that is asked first, as `order` says when they are read. */
  followOrder(order: ClientOrder): void
  /** Returns the drifts in words for an operator. */
  lines(): string[]
  /**
   * Returns the shares that left their usual: those of the whole where that is so, otherwise those of the clients and
   * routes concerned.
   */
  drifts(): Drift[]
  /** Returns every share that was seen, beside what is usual. */
  shares(): WatchedShare[]
}

/** The captions client that is asked first, and those whose version the platform no longer accepts. */
type ClientOrder = { first(): string | null; retired(): string[] }

/** Answers by verdict; '' counts all of them. */
type Counts = Map<string, number>
type WatchedPart = PartOf & {
  isOfVideos: boolean
  /** Counts that are stored with those of other processes, and counts since then. */
  known: Counts
  fresh: Counts
  averages: Map<string, Average>
}
type Sources = Map<string, { count: number; sinceMs: number }>

/** Room for 200 routes and the clients that are asked, for three questions. */
const PARTS_MAX = 2_048
const VERDICTS_MAX = 48
/** Sources whose answers are remembered; the longest unseen are forgotten. */
const SOURCES_MAX = 8_192
/** The time after which a source counts again. */
const SOURCE_MS = 6 * 3_600_000

export function openDriftWatch(): DriftWatch {
  const parts = new Map<string, WatchedPart>()
  const sources: Sources = new Map()
  let order: ClientOrder = { first: () => null, retired: () => [] }

  const shares = (): WatchedShare[] => [...parts.values()].flatMap(sharesOf)
  const drifts = (): Drift[] => driftsIn(shares())
  return {
    note(visit) {
      const failing: string[] = []
      for (const counted of countedOf(visit)) {
        const part = partIn(parts, counted.part)
        if (part === null) continue
        if (isFresh(sources, counted, visit.atMs)) count(part, counted, visit.atMs)
        if (part.client === null || visit.delivered === null) continue
        if (part.averages.get(counted.verdict)?.isAlarmed === true) failing.push(part.client)
      }
      return failing
    },
    shares,
    drifts,
    followOrder: (follow) => void (order = follow),
    lines: () => linesOf(drifts(), order),
    freshCounts: () =>
      [...parts].flatMap(([part, { fresh }]) =>
        [...fresh].map(([verdict, answers]) => ({ part, verdict, answers })),
      ),
    kept(counts) {
      for (const { part, verdict, answers } of counts) {
        const fresh = parts.get(part)?.fresh
        const left = (fresh?.get(verdict) ?? 0) - answers
        if (left > 0) fresh?.set(verdict, left)
        else fresh?.delete(verdict)
      }
    },
    learn(counts) {
      for (const part of parts.values()) part.known.clear()
      for (const { part, verdict, answers } of counts)
        partIn(parts, part)?.known.set(verdict, answers)
    },
  }
}

function partIn(parts: Map<string, WatchedPart>, name: string): WatchedPart | null {
  const known = parts.get(name)
  if (known !== undefined) return known
  const described = readPartName(name)
  if (described === null || parts.size >= PARTS_MAX) return null
  const part = { ...described, known: new Map(), fresh: new Map(), averages: new Map() }
  parts.set(name, part)
  return part
}

/** Whether the answer's source was counted fewer times than it may be; counts it. */
function isFresh(
  sources: Sources,
  { part, source, sourceMax }: CountedAnswer,
  atMs: number,
): boolean {
  if (source === null) return true
  const key = `${part} ${source}`
  const known = sources.get(key)
  const isOver = known === undefined || atMs - known.sinceMs > SOURCE_MS
  const { count, sinceMs } = isOver ? { count: 0, sinceMs: atMs } : known
  setLatest(sources, key, { value: { count: count + 1, sinceMs }, max: SOURCES_MAX })
  return count < sourceMax
}

function count(part: WatchedPart, { verdict, weight }: CountedAnswer, atMs: number): void {
  const { averages, fresh } = part
  const isGood = verdict === GOOD_VERDICT
  const isNew = !isGood && !averages.has(verdict) && averages.size < VERDICTS_MAX
  for (const each of isNew ? [...averages.keys(), verdict] : averages.keys()) {
    const usual = usualOn(part, each)
    const observed = { isHit: each === verdict, atMs, weight }
    if (usual === null) averages.delete(each)
    else averages.set(each, afterAnswer(averages.get(each) ?? null, { ...observed, usual }))
  }
  // A drift must not become what is usual.
  if ([...averages.values()].some(({ sinceMs }) => sinceMs !== null)) return
  for (const each of isGood ? [''] : ['', verdict]) fresh.set(each, (fresh.get(each) ?? 0) + 1)
}

function usualOn({ known, fresh, isOfVideos }: WatchedPart, verdict: string): Usual | null {
  const sum = (name: string): number => (known.get(name) ?? 0) + (fresh.get(name) ?? 0)
  return usualOf({ answers: sum(''), hits: sum(verdict), isOfVideos })
}

function sharesOf(part: WatchedPart): WatchedShare[] {
  const { question, client, route, averages } = part
  return [...averages].map(([verdict, { share, sinceMs, isAlarmed }]) => {
    const usual = usualOn(part, verdict)?.share ?? 0
    const alarmedSinceMs = isAlarmed ? sinceMs : null
    return { question, client, route, verdict, share, usual, sinceMs: alarmedSinceMs }
  })
}

function driftsIn(shares: readonly WatchedShare[]): Drift[] {
  const found = shares.filter((each): each is Drift => each.sinceMs !== null)
  const isOfAll = ({ client, route }: PartOf): boolean => client === null && route === null
  const subjectOf = ({ question, verdict }: Drift): string => `${question} ${verdict}`
  const ofAll = new Set(found.filter(isOfAll).map(subjectOf))
  return found.filter((drift) => isOfAll(drift) || !ofAll.has(subjectOf(drift)))
}

function linesOf(drifts: readonly Drift[], order: ClientOrder): string[] {
  const first = order.first()
  const named = drifts.filter(({ verdict }) => verdict === 'retired').map(({ client }) => client)
  const retired = order.retired().filter((client) => !named.includes(client))
  return [
    ...drifts.map((drift) => describeDrift(drift, first)),
    ...retired.map((client) => describeRetired(client, first)),
  ]
}
