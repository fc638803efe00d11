/** The canary: a few cases that are asked of the platform again and again, and the verdict on what came. */

/** `degraded`: something did not come as it should; `down`: nor did the words of any video. */
export const CANARY_VERDICTS = ['healthy', 'degraded', 'down', 'not_asked'] as const
export type CanaryVerdict = (typeof CANARY_VERDICTS)[number]

type FailingCase = { name: string; sentence: string }

export type CanaryResult = {
  verdict: CanaryVerdict
  failing: FailingCase[]
  /** A sentence on what the cases do not say; null where they say all. */
  detail: string | null
}

export type CanaryState = CanaryResult & { since: Date; checkedAt: Date }

/** A case that was asked, as far as the verdict needs it. */
type Finding = FailingCase & { outcome: string; isAllowed: boolean }

const DELIVERED: readonly string[] = ['success', 'other_language']

/** Returns the verdict on a run; `whyNot` says why cases are missing. */
export function judgeCanary(
  findings: readonly Finding[],
  { casesMax, whyNot }: { casesMax: number; whyNot: string },
): CanaryResult {
  const asked = findings.filter(({ outcome }) => outcome !== 'not_asked')
  if (asked.length === 0) return { verdict: 'not_asked', failing: [], detail: whyNot }
  const failing = asked
    .filter(({ isAllowed }) => !isAllowed)
    .map(({ name, sentence }) => ({ name, sentence }))
  const detail =
    asked.length < casesMax ? `${asked.length} of ${casesMax} cases were asked: ${whyNot}` : null
  if (failing.length === 0) return { verdict: 'healthy', failing, detail }
  const isDelivering = asked.some(({ outcome }) => DELIVERED.includes(outcome))
  return { verdict: isDelivering ? 'degraded' : 'down', failing, detail }
}

/** Returns the verdict as people read it. */
export function canaryWords(verdict: CanaryVerdict): string {
  return verdict === 'not_asked' ? 'not asked' : verdict
}

/** Returns one line with the verdict, when it was reached, and the cases that fail. */
export function canaryLine({ verdict, since, checkedAt, failing, detail }: CanaryState): string {
  const cases =
    failing.length === 0 ? '' : `; failing: ${failing.map(({ name }) => name).join(', ')}`
  const more = detail === null ? '' : `; ${detail}`
  return `canary: ${canaryWords(verdict)} since ${since.toISOString()}, checked at ${checkedAt.toISOString()}${cases}${more}`
}
