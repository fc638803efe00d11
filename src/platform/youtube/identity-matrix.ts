/**
 * The matrix of identities: as each captions client, one video is asked for with the client's own identity, with that
 * of another client and with none, each with and without the field mask. It shows which of them the platform likes.
 */
import { type ClientProfile, newerOf, versionOf } from './clients.ts'
import { examineClient } from './doctor.ts'
import { isWorking, type PartAnswers, type PartOutcome, refusedPart } from './doctor-report.ts'
import { isUnmistakable } from './obstacle.ts'
import type { PlatformDeps } from './open-platform.ts'
import { visitorAs } from './session-identity.ts'
import { openSession, type Session } from './session.ts'

const IDENTITIES = ['own', 'other', 'none'] as const

/** A client's answers to calls with one identity; `of` is the client to which it was given, null for none. */
type MatrixRow = PartAnswers & {
  client: string
  version: string
  identity: (typeof IDENTITIES)[number]
  of: string | null
}

export type Matrix = {
  route: string
  videoId: string
  rows: MatrixRow[]
  /** Why it ended before every client was asked; null where it did not. */
  stopped: string | null
}

type Asking = { route: string; videoId: string; signal: AbortSignal }

/** After so many unmistakable blocks no more is asked. */
const BLOCKS_MAX = 2

/** Asks for the matrix on one route: about ten requests a client. An abort ends it with what there is. */
export async function examineIdentities(
  deps: PlatformDeps,
  { route, videoId, signal }: Asking,
): Promise<Matrix> {
  const matrix: Matrix = { route, videoId, rows: [], stopped: null }
  try {
    const leasing = await deps.routePool.leaseOn(route, deps.context.share, signal)
    if (leasing.kind === 'resting') return { ...matrix, stopped: 'The route rests.' }
    try {
      const session = openSession(deps.context, leasing.lease, signal)
      matrix.stopped = await fillRows(matrix, session, deps.profiles)
    } finally {
      leasing.lease.release()
    }
  } catch (error) {
    if (!signal.aborted) throw error
    matrix.stopped = 'The examination took too long.'
  }
  return matrix
}

/** Returns why it ended early, or null. */
async function fillRows(
  { rows, videoId }: Matrix,
  session: Session,
  profiles: readonly ClientProfile[],
): Promise<string | null> {
  const web = profiles.find(({ use }) => use === 'date_and_lists')
  const clients = profiles.filter(({ use }) => use === 'captions')
  for (const client of clients) {
    const newer = newerOf(profiles, client)
    const isNewerFine = rows.some(
      (row) => row.client === newer?.name && row.identity === 'own' && isWorking(row),
    )
    if (isNewerFine) continue
    for (const identity of IDENTITIES) {
      if (countBlocks(rows) >= BLOCKS_MAX) return 'It is blocked, so it was asked no more.'
      const of = { own: client, other: web ?? null, none: null }[identity]
      const about = { ...nameOf(client), identity, of: of?.name ?? null }
      rows.push({ ...about, ...(await askAs(session, client, { of, videoId })) })
    }
  }
  return null
}

function nameOf(profile: ClientProfile): { client: string; version: string } {
  const { name, version } = versionOf(profile)
  return { client: name, version }
}

async function askAs(
  session: Session,
  client: ClientProfile,
  { of, videoId }: { of: ClientProfile | null; videoId: string },
): Promise<PartAnswers> {
  const visitorData = of === null ? null : await visitorAs(session, of)
  if (visitorData !== null && typeof visitorData !== 'string')
    return { withMask: null, withoutMask: refusedPart(visitorData), words: null }
  const {
    withMask = null,
    withoutMask,
    words = null,
  } = await examineClient(withVisitor(session, client, visitorData), client, [videoId])
  return { withMask, withoutMask, words }
}

/** Returns a session in which the client calls with just that visitor id, or with none. */
function withVisitor(
  { context, lease, signal }: Session,
  { name }: ClientProfile,
  visitorData: string | null,
): Session {
  const visitors = new Map(visitorData === null ? [] : [[name, visitorData]])
  // Where every other way counts as refused, no call is repeated with another identity.
  const identities = { ...context.identities, isRefused: () => true, noteRefused: () => {} }
  return openSession({ ...context, identities }, { ...lease, visitors, isPrivate: true }, signal)
}

function countBlocks(rows: readonly MatrixRow[]): number {
  const isBlock = (each: PartOutcome | null): boolean =>
    each !== null && each.obstacle !== null && isUnmistakable(each.obstacle)
  return rows.filter((row) => [row.withMask, row.withoutMask, row.words].some(isBlock)).length
}

/** Returns the matrix as a small table in words, a line for each client. */
export function tellMatrix({ route, videoId, rows, stopped }: Matrix): string[] {
  const clients = [...new Set(rows.map(({ client, version }) => `${client} ${version}`))]
  return [
    `Identities, asked for ${videoId} on route ${route}:`,
    ...clients.map((client) => {
      const own = rows.filter((row) => `${row.client} ${row.version}` === client)
      return `  ${client}: ${own.map(tellRow).join('; ')}`
    }),
    ...(stopped === null ? [] : [`  ${stopped}`]),
  ]
}

function tellRow(row: MatrixRow): string {
  const { identity, of, withMask, withoutMask, words } = row
  const whose = { own: 'its own', other: `that of ${of ?? 'nobody'}`, none: 'none' }[identity]
  const said =
    withMask === null || withMask.word === withoutMask.word
      ? withoutMask.word
      : `${withoutMask.word}, with the mask ${withMask.word}`
  const read = words === null || isWorking(row) ? '' : `, words ${words.word}`
  return `${whose} ${said}${read}`
}
