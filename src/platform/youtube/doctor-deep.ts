/** The deep examination: the ordinary one, then cases of every kind, a matrix of identities, and profiles that work. */
import { isLoopback } from '../egress/route.ts'
import { CHECKED_VIDEOS } from './doctor-checks.ts'
import { type Examination, examinePlatform, verdictLine } from './doctor.ts'
import { type Fault, healthOf, isDelivering } from './doctor-report.ts'
import { examineIdentities, type Matrix, tellMatrix } from './identity-matrix.ts'
import { platformOf, type PlatformDeps } from './open-platform.ts'
import type { PlatformCase } from './platform-cases.ts'
import { type Proposal, proposeProfiles } from './propose-profiles.ts'
import { type CaseFinding, runCases } from './run-cases.ts'

export type DeepExamination = Examination & {
  /** The cases that were asked; empty where nothing delivers, which says nothing of a case. */
  cases: CaseFinding[]
  /** The matrix of identities on the first route that delivers; null where no case showed a video with captions. */
  matrix: Matrix | null
  proposal: Proposal
}

type DeepAsk = { channel: string | null; cases: readonly PlatformCase[]; signal: AbortSignal }

/**
 * Examines deeply: about 28 requests a route, two or three a case, and ten a captions client. The caller passes `deps`
 * as to `examinePlatform`.
 */
export async function examineDeep(
  deps: PlatformDeps,
  { channel, cases, signal }: DeepAsk,
): Promise<DeepExamination> {
  const usual = await examinePlatform(deps, {
    channel,
    signal,
    checkedMax: CHECKED_VIDEOS.deep,
  })
  const { routes, origin } = usual
  const route = routes.find(isDelivering)?.route ?? null
  const asking = {
    calls: platformOf(deps),
    isStandIn: origin !== null && isLoopback(origin),
    cases: route === null ? [] : cases,
    signal,
  }
  const findings = await runCases(asking)
  const videoId = findings.find(({ outcome }) => outcome === 'success')?.videoId ?? null
  const matrix =
    route === null || videoId === null
      ? null
      : await examineIdentities(deps, { route, videoId, signal })
  const missing = asking.cases.length - findings.length
  const faults = [
    ...usual.faults,
    ...findings.filter(({ isAllowed }) => !isAllowed).map(faultOfCase),
    ...(missing > 0 ? [faultOfTime(missing)] : []),
  ]
  const verdict = healthOf(routes, faults)
  const lines = [
    ...usual.lines.slice(0, -1),
    ...tellCases(findings, missing),
    ...(matrix === null ? [] : tellMatrix(matrix)),
    verdictLine(verdict, faults.length),
  ]
  const proposal = proposeProfiles(deps.profiles, { routes, faults: usual.faults })
  return { ...usual, verdict, faults, lines, cases: findings, matrix, proposal }
}

const NO_CLIENT = { route: null, client: null, version: null, part: 'case', setting: null } as const

function faultOfCase({ name, outcome, sentence }: CaseFinding): Fault {
  const mend =
    outcome === 'obstructed'
      ? 'Mend what is said of the routes first; else run it again in a few minutes.'
      : 'If the clients deliver elsewhere, this one may have changed: name newer cases with --cases.'
  return { ...NO_CLIENT, refused: `${name}: ${outcome}. ${sentence}`, mend }
}

function faultOfTime(missing: number): Fault {
  const refused = `The examination took too long; ${missing} cases were not asked.`
  return { ...NO_CLIENT, refused, mend: 'Run it again while the routes are less busy.' }
}

function tellCases(findings: readonly CaseFinding[], missing: number): string[] {
  if (findings.length + missing === 0) return ['Cases: not asked, since nothing delivers.']
  const right = findings.filter(({ isAllowed, outcome }) => isAllowed && outcome !== 'not_asked')
  return [
    `Cases: ${right.length} of ${findings.length + missing} came as they should.`,
    ...findings.flatMap((found) => {
      const { name, asked, outcome, isAllowed, sentence } = found
      const line = `  ${name} (${asked ?? 'unknown'}): ${outcome}. ${sentence}`
      return isAllowed ? [line] : [line, `  → ${faultOfCase(found).mend}`]
    }),
    ...(missing > 0 ? [`  ${faultOfTime(missing).refused}`] : []),
  ]
}
