/**
 * The drift watch: notices that the platform answers otherwise than in the last days, by client and by route.
 * Each visit costs a few steps for each verdict of its parts, whatever was seen before; what is kept is bounded.
 */
import { type Clusters, isFresh, isNewSource } from './drift-clusters.ts'
import { afterAnswer, type Detector, QUIET } from '../../model/platform/detector.ts'
import {
  type Answering,
  ANSWERS_KEPT,
  describeDrift,
  describeRetired,
  type Drift,
  nameDrifts,
  type Watched,
} from '../../model/platform/naming.ts'
import {
  addCounts,
  CONTENT_ANSWERS,
  halve,
  noCounts,
  type ShareBook,
  type ShareCount,
  type Usual,
  usualOf,
  type VerdictCounts,
} from '../../model/platform/usual.ts'
import {
  evidenceOf,
  type Hit,
  type PartOf,
  type Question,
  readPartName,
  type VerdictKind,
  type Visit,
} from '../../model/platform/visit.ts'

export type DriftWatch = ShareBook & {
  /** Takes a visit into account; names the clients that failed where another one delivered, and go on failing. */
  note(visit: Visit): string[]
  /** From then on the lines say whom we ask, as things stand when they are read. */
  followOrder(order: ClientOrder): void
  /** What goes on, in words for an operator. */
  lines(): string[]
  drifts(): Drift[]
  /** Every share that was seen, beside what is usual. */
  shares(): Watched[]
}

/** The captions client that is asked first, and those whose version the platform no longer accepts. */
export type ClientOrder = { first(): string | null; retired(): string[] }

/** `learnt`: what was counted as usual since the present evidence began. */
type WatchedVerdict = { detector: Detector; kind: VerdictKind; learnt: Learnt }
type Learnt = { hits: number; answers: number }
type WatchedPart = {
  question: Question
  of: PartOf
  seen: number
  answeredAtMs: number[]
  contentAtMs: number[]
  /** Kept with others, and counted since. */
  known: VerdictCounts
  fresh: VerdictCounts
  verdicts: Map<string, WatchedVerdict>
}

const RETIRED = 'retired'
/** 200 routes, each with the clients that are asked, for three questions. */
const PARTS_MAX = 2_048
const VERDICTS_MAX = 48
/** Then what is known of a part counts half. */
const COUNTED_MAX = 100_000

export function openDriftWatch(): DriftWatch {
  const parts = new Map<string, WatchedPart>()
  const clusters: Clusters = new Map()
  /** By client, who last delivered in its place. */
  const instead = new Map<string, string>()
  /** A version that is refused is left alone, so once is all that it is met. */
  const retiredMs = new Map<string, number>()
  let order: ClientOrder = { first: () => null, retired: () => [] }

  function note(visit: Visit): string[] {
    const { atMs, delivered } = visit
    const failing: string[] = []
    for (const { client, verdict } of visit.readings)
      if (verdict === RETIRED && retiredMs.size < PARTS_MAX)
        retiredMs.set(client, retiredMs.get(client) ?? atMs)
    for (const evidence of evidenceOf(visit)) {
      const part = partIn(parts, evidence.part)
      if (part === null) continue
      const hasContent = isNewSource(clusters, evidence, atMs)
      const [hits, spent]: [Hit[], Set<string>] = [[], new Set()]
      for (const hit of evidence.hits) {
        const isNew =
          hit.kind === 'content' ? hasContent : isFresh(clusters, evidence, { ...hit, atMs })
        if (isNew) hits.push(hit)
        else spent.add(hit.verdict)
      }
      judge(part, hits, { atMs, hasContent, isDelivered: delivered !== null, spent })
      const { client, route } = part.of
      const isOfClient = client !== null && route === null && evidence.hits.length > 0
      if (!isOfClient || delivered === null) continue
      instead.set(client, delivered)
      if (evidence.hits.some(({ verdict }) => isAlarmedOn(part, verdict))) failing.push(client)
    }
    return failing
  }

  const shares = (): Watched[] => [...parts.values()].flatMap(watchedOf)
  const answering = (): Answering[] => [...parts.values()]
  const drifts = (): Drift[] => nameDrifts(shares(), answering())
  return {
    note,
    shares,
    drifts,
    followOrder: (follow) => void (order = follow),
    lines: () => linesOf(drifts(), { order, instead, retiredMs }),
    takeCounts: () => [...parts].flatMap(([name, part]) => takeFresh(name, part)),
    returnCounts(counts) {
      for (const { part, verdict, answers } of counts) {
        const found = partIn(parts, part)
        if (found === null) continue
        addCount(found.known, verdict, -answers)
        addCount(found.fresh, verdict, answers)
      }
    },
    learn(counts) {
      for (const part of parts.values()) if (!isPair(part)) part.known = noCounts()
      for (const { part, verdict, answers } of counts) {
        const found = partIn(parts, part)
        if (found !== null) addCount(found.known, verdict, answers)
      }
    },
  }
}

type LineFacts = {
  order: ClientOrder
  instead: ReadonlyMap<string, string>
  retiredMs: ReadonlyMap<string, number>
}

function linesOf(found: readonly Drift[], { order, instead, retiredMs }: LineFacts): string[] {
  const first = order.first()
  const named = new Set(
    found.flatMap(({ verdict, clients }) => (verdict === RETIRED ? clients : [])),
  )
  const retired = order.retired().filter((client) => !named.has(client))
  return [
    ...found.map((drift) => {
      const [client = ''] = drift.clients
      return describeDrift(drift, { first, instead: instead.get(client) ?? null })
    }),
    ...retired.map((client) =>
      describeRetired(client, { sinceMs: retiredMs.get(client) ?? null, first }),
    ),
  ]
}

function partIn(parts: Map<string, WatchedPart>, name: string): WatchedPart | null {
  const known = parts.get(name)
  if (known !== undefined) return known
  if (parts.size >= PARTS_MAX) return null
  const described = readPartName(name)
  if (described === null) return null
  const part: WatchedPart = {
    ...described,
    seen: 0,
    answeredAtMs: [],
    contentAtMs: [],
    known: noCounts(),
    fresh: noCounts(),
    verdicts: new Map(),
  }
  parts.set(name, part)
  return part
}

type VisitFacts = {
  atMs: number
  hasContent: boolean
  isDelivered: boolean
  /** Verdicts that were met again, of a cluster that was counted often enough: they say nothing. */
  spent: ReadonlySet<string>
}

function judge(part: WatchedPart, hits: readonly Hit[], facts: VisitFacts): void {
  for (const { verdict, kind } of hits) {
    if (part.verdicts.has(verdict) || part.verdicts.size >= VERDICTS_MAX) continue
    part.verdicts.set(verdict, {
      detector: { ...QUIET, seen: part.seen },
      kind,
      learnt: NOTHING_LEARNT,
    })
  }
  part.seen += 1
  keepTime(part.answeredAtMs, facts.atMs)
  const isLearnt = usualOn(part, '', { kind: 'content', learnt: NOTHING_LEARNT }) !== null
  if (facts.hasContent && isLearnt) keepTime(part.contentAtMs, facts.atMs)
  const found = new Map(hits.map((hit) => [hit.verdict, hit]))
  let isAlarmed = false
  for (const [verdict, watched] of part.verdicts) {
    const usual = usualOn(part, verdict, watched)
    if (usual === null) watched.detector = QUIET // the past is gone: nothing to compare with
    if (usual === null || facts.spent.has(verdict) || !isAbout(watched, facts)) continue
    const hit = found.get(verdict)
    const { atMs } = facts
    const observed = {
      isHit: hit !== undefined,
      usual: usual.atMost,
      atMs,
      weight: hit?.weight ?? 1,
    }
    watched.detector = afterAnswer(watched.detector, observed)
    isAlarmed ||= watched.detector.isAlarmed
  }
  // What goes wrong now must not become what is usual.
  if (isAlarmed) return
  for (const [verdict, watched] of part.verdicts)
    if (isAbout(watched, facts)) watched.learnt = learntAfter(watched, found.has(verdict))
  addCounts(part.fresh, [...found.keys(), ...(facts.hasContent ? [CONTENT_ANSWERS] : [])])
  if (part.known.total + part.fresh.total > COUNTED_MAX) [part.known, part.fresh].forEach(halve)
}

const NOTHING_LEARNT: Learnt = { hits: 0, answers: 0 }

function learntAfter({ detector, learnt }: WatchedVerdict, isHit: boolean): Learnt {
  if (detector.sinceMs === null) return NOTHING_LEARNT
  return { hits: learnt.hits + Number(isHit), answers: learnt.answers + 1 }
}

function keepTime(times: number[], atMs: number): void {
  times.push(atMs)
  if (times.length > ANSWERS_KEPT) times.shift()
}

/** Whether a visit without such a hit speaks against it. */
function isAbout({ kind }: WatchedVerdict, { hasContent, isDelivered }: VisitFacts): boolean {
  if (kind === 'content') return hasContent
  return kind !== 'contrast' || isDelivered
}

function isAlarmedOn({ verdicts }: WatchedPart, verdict: string): boolean {
  return verdicts.get(verdict)?.detector.isAlarmed === true
}

function usualOn(
  { known, fresh }: WatchedPart,
  verdict: string,
  { kind, learnt: since }: Pick<WatchedVerdict, 'kind' | 'learnt'>,
): Usual | null {
  return usualOf([known, fresh], { verdict, isContent: kind === 'content', since })
}

function watchedOf(part: WatchedPart): Watched[] {
  const { question, of } = part
  return [...part.verdicts].map(([verdict, watched]) => {
    const { detector, kind } = watched
    const usual = usualOn(part, verdict, watched)?.share ?? 0
    return { question, of, verdict, detector, kind, usual }
  })
}

/** Moves what is fresh to what is known. */
function takeFresh(part: string, watched: WatchedPart): ShareCount[] {
  const { fresh, known } = watched
  // Of pairs there are many, and nothing that depends on videos is judged on them.
  if (fresh.total === 0 || isPair(watched)) return []
  watched.fresh = noCounts()
  const counts = [
    { part, verdict: '', answers: fresh.total },
    ...[...fresh.hits].map(([verdict, answers]) => ({ part, verdict, answers })),
  ]
  for (const { verdict, answers } of counts) addCount(known, verdict, answers)
  return counts
}

function isPair({ of }: WatchedPart): boolean {
  return of.client !== null && of.route !== null
}

function addCount(counts: VerdictCounts, verdict: string, answers: number): void {
  if (verdict === '') counts.total += answers
  else counts.hits.set(verdict, (counts.hits.get(verdict) ?? 0) + answers)
}
