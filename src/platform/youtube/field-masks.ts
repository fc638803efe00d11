/**
 * Field masks (`$fields`): they save nine tenths of a player reply, and must not become a single point of failure. What
 * may be a mask's fault is asked again without it at once, and masks that hid two different videos are switched off for
 * the process.
 */
import type { NamedObstacle } from './obstacle.ts'

export type MaskFault = 'refused' | 'hiding'

/** Parts that a mask may keep back: one mask may hide captions, another one publish dates. */
type MaskedThing = 'captions' | 'date'

export type FieldMasks = {
  /** Whether calls are sent with a mask. */
  areUsed(): boolean
  /** Notes that the mask kept back what came without it, for this video. */
  failed(videoId: string, fault: MaskFault): void
  /** Whether a request should be spent to learn if the mask hid what did not come. */
  isProofWanted(of: MaskedThing): boolean
  /** Notes that the mask hid nothing: what is missing does not come without a mask, either. */
  acquitted(of: MaskedThing): void
}

type FieldMaskOptions = {
  areUsed: boolean
  /** A clock that counts milliseconds and never goes back. */
  clock: () => number
  maskEvidenceMs: number
  maskAcquittalMs: number
  /** Called once, when masks are switched off. */
  onOff?: ((fault: MaskFault) => void) | undefined
}

/** How many videos are evidence, since one may be odd in itself. */
const VIDEOS_MIN = 2

export function openFieldMasks(options: FieldMaskOptions): FieldMasks {
  const { clock, maskEvidenceMs, maskAcquittalMs, onOff } = options
  let areUsed = options.areUsed
  const acquittedUntilMs = new Map<MaskedThing, number>()
  const failedAtMs = new Map<string, number>()
  return {
    areUsed: () => areUsed,
    failed(videoId, fault) {
      if (!areUsed) return
      for (const [id, atMs] of failedAtMs)
        if (atMs < clock() - maskEvidenceMs) failedAtMs.delete(id)
      failedAtMs.set(videoId, clock())
      acquittedUntilMs.clear()
      if (failedAtMs.size < VIDEOS_MIN) return
      areUsed = false
      failedAtMs.clear()
      onOff?.(fault)
    },
    isProofWanted: (of) => areUsed && clock() >= (acquittedUntilMs.get(of) ?? 0),
    acquitted: (of) => void acquittedUntilMs.set(of, clock() + maskAcquittalMs),
  }
}

/** Verdict of an answer on the mask that was used; `other` means none. */
type Judged = MaskFault | 'works' | 'other'

/**
 * Judges an obstacle: the platform may not have understood the mask, or the mask may have left nothing of the reply.
 */
export function judgeObstacle({ name }: NamedObstacle): Judged {
  const isSuspect = name === 'bad_request' || name === 'retired' || name === 'unreadable'
  return isSuspect ? 'refused' : 'other'
}

/**
 * Asks with the mask, and at once without it where the mask may be at fault. A value that seems hidden may not exist,
 * so that is checked only now and then: otherwise every undated video would cost two requests.
 */
export async function askMasked<T>(
  masks: FieldMasks,
  videoId: string,
  {
    ask,
    judge,
  }: {
    ask: (isMasked: boolean) => Promise<T>
    judge: (answer: T) => Judged
  },
): Promise<T> {
  if (!masks.areUsed()) return ask(false)
  const answer = await ask(true)
  const fault = judge(answer)
  if (fault === 'works' || fault === 'other') return answer
  if (fault === 'hiding' && !masks.isProofWanted('date')) return answer
  const whole = await ask(false)
  const unmasked = judge(whole)
  if (unmasked === 'works') masks.failed(videoId, fault)
  else if (unmasked === 'hiding') masks.acquitted('date')
  return whole
}
