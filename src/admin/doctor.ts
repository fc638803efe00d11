/** The doctor's examination, for the command and for the console's button; noted in the log of acts. */
import type { DatabaseContext } from '../context.ts'
import { noteCheck } from '../features/operator/acts.ts'
import { examiningBudget } from '../platform/egress/examining-budget.ts'
import { type DeepExamination, examineDeep } from '../platform/youtube/doctor-deep.ts'
import { type Examination, examinePlatform } from '../platform/youtube/doctor.ts'
import { openParts, type PlatformDeps } from '../platform/youtube/open-platform.ts'
import type { PlatformCase } from '../platform/youtube/platform-cases.ts'
import { platformOptions, readPlatformSettings } from '../platform/youtube/settings.ts'

/** Time for the doctor's whole examination, over every route and client, and for the deep one. */
const DOCTOR_MS = 300_000
const DEEP_DOCTOR_MS = 1_800_000

type DoctorAsk = { channel: string | null; actor: string }

/** Examines the platform with real requests; takes up to DOCTOR_MS. */
export async function runDoctor(
  ctx: DatabaseContext,
  { channel, actor }: DoctorAsk,
): Promise<Examination> {
  return examine(ctx, actor, (parts) =>
    examinePlatform(parts, { channel, signal: AbortSignal.timeout(DOCTOR_MS) }),
  )
}

/** Examines it as `runDoctor` does for the person who starts a service; noted nowhere, and ended by `signal`. */
export async function lookAtPlatform(
  ctx: DatabaseContext,
  signal: AbortSignal,
): Promise<Examination> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(DOCTOR_MS)])
  return examine(ctx, null, (parts) => examinePlatform(parts, { channel: null, signal: within }))
}

/** Examines it deeply; takes up to DEEP_DOCTOR_MS. */
export async function runDeepDoctor(
  ctx: DatabaseContext,
  { channel, actor, cases }: DoctorAsk & { cases: readonly PlatformCase[] },
): Promise<DeepExamination> {
  return examine(ctx, actor, (parts) =>
    examineDeep(parts, { channel, cases, signal: AbortSignal.timeout(DEEP_DOCTOR_MS) }),
  )
}

/** Opens the platform for one examination, and notes what it found where somebody asked for it. */
async function examine<T extends Examination>(
  ctx: DatabaseContext,
  actor: string | null,
  work: (parts: PlatformDeps) => Promise<T>,
): Promise<T> {
  const options = platformOptions(ctx, await readPlatformSettings(ctx.config))
  // The examination has parts of its own: what they meet stays here.
  const parts = openParts({ ...options, budget: examiningBudget(options.budget) })
  try {
    const found = await work(parts)
    const detail = [found.verdict, ...found.lines].join('\n')
    if (actor !== null) await noteCheck(ctx.db, { act: 'run_doctor', actor, detail })
    return found
  } finally {
    await Promise.all([parts.routePool.close(), parts.context.longReader.close()])
  }
}
