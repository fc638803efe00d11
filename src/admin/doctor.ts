/** The doctor's examination, for the command and for the console's button; noted in the log of acts. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { DatabaseContext } from '../context.ts'
import { noteCheck } from '../features/operator/acts.ts'
import type { RouteBudget } from '../model/platform/route-budget.ts'
import type { OnExchange } from '../platform/egress/connections.ts'
import { examiningBudget } from '../platform/egress/examining-budget.ts'
import { type DeepExamination, examineDeep } from '../platform/youtube/doctor-deep.ts'
import { type Examination, examinePlatform } from '../platform/youtube/doctor.ts'
import { openParts, type PlatformDeps, platformOf } from '../platform/youtube/open-platform.ts'
import type { PlatformCase } from '../platform/youtube/platform-cases.ts'
import { platformOptions, readPlatformSettings } from '../platform/youtube/settings.ts'
import { type PeerComparison, withPeer } from './doctor-peer.ts'
import type { Peer } from './peer-program.ts'

/** Time for the doctor's whole examination, over every route and client, and for the deep one. */
const DOCTOR_MS = 300_000
const DEEP_DOCTOR_MS = 1_800_000
/** Time for comparing with a peer, after which no further track is. */
const PEER_MS = 900_000

/** `onExchange` sees each exchange with the platform. */
type DoctorAsk = { channel: string | null; actor: string; onExchange?: OnExchange | null }

/** Examines the platform with real requests; takes up to DOCTOR_MS. */
export async function runDoctor(ctx: DatabaseContext, ask: DoctorAsk): Promise<Examination> {
  const { channel } = ask
  return examine(ctx, ask, (parts) =>
    examinePlatform(parts, { channel, signal: AbortSignal.timeout(DOCTOR_MS) }),
  )
}

/** The parts of a context that an examination needs. */
export type ExaminingContext = { config: Config; budget: RouteBudget; now: () => Date; log: Logger }

/** Examines the platform for a start, which notes no act of anybody's; takes up to DOCTOR_MS, or until `signal`. */
export async function examineQuietly(
  ctx: ExaminingContext,
  signal: AbortSignal,
): Promise<Examination> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(DOCTOR_MS)])
  return withParts(ctx, null, (parts) => {
    // An identity is asked for whoever waits for it, so a signal alone does not end that request.
    signal.addEventListener('abort', () => void parts.routePool.close(), { once: true })
    return examinePlatform(parts, { channel: null, signal: inTime })
  })
}

/** Examines it deeply; takes up to DEEP_DOCTOR_MS. */
export async function runDeepDoctor(
  ctx: DatabaseContext,
  { cases, ...ask }: DoctorAsk & { cases: readonly PlatformCase[] },
): Promise<DeepExamination> {
  const { channel } = ask
  return examine(ctx, ask, (parts) =>
    examineDeep(parts, { channel, cases, signal: AbortSignal.timeout(DEEP_DOCTOR_MS) }),
  )
}

/** Compares words of what was examined with a peer's; takes up to PEER_MS. Words are noted nowhere. */
export async function runPeer<T extends Examination>(
  ctx: DatabaseContext,
  found: T,
  peer: Peer,
): Promise<T & { peer: PeerComparison }> {
  return withParts(ctx, null, (parts) =>
    withPeer(found, { calls: platformOf(parts), peer, signal: AbortSignal.timeout(PEER_MS) }),
  )
}

/** Opens the platform for one examination, and notes what it found. */
async function examine<T extends Examination>(
  ctx: DatabaseContext,
  { actor, onExchange = null }: DoctorAsk,
  work: (parts: PlatformDeps) => Promise<T>,
): Promise<T> {
  return withParts(ctx, onExchange, async (parts) => {
    const found = await work(parts)
    const detail = [found.verdict, ...found.lines].join('\n')
    await noteCheck(ctx.db, { act: 'run_doctor', actor, detail })
    return found
  })
}

/** Opens the platform for an examination, and closes it again. */
async function withParts<T>(
  ctx: ExaminingContext,
  onExchange: OnExchange | null,
  work: (parts: PlatformDeps) => Promise<T>,
): Promise<T> {
  const options = { ...platformOptions(ctx, await readPlatformSettings(ctx.config)), onExchange }
  // The examination has parts of its own: what they meet stays here.
  const parts = openParts({ ...options, budget: examiningBudget(options.budget) })
  try {
    return await work(parts)
  } finally {
    await Promise.all([parts.routePool.close(), parts.context.longReader.close()])
  }
}
