/**
 * Field masks (`$fields`): they save nine tenths of a player reply, and are no single point of failure. What
 * may be a mask's fault is asked again without it at once, and masks that stood between us and two different
 * videos are switched off for the process.
 */
import type { NamedObstacle } from './obstacle.ts'

export type MaskFault = 'refused' | 'hiding'

/** Masks differ: one may keep back captions, the other publish dates. */
export type MaskedThing = 'captions' | 'date'

export type FieldMasks = {
  /** Whether calls are sent with a mask. */
  areUsed(): boolean
  /** The mask kept back what came without it, for this video. */
  failed(videoId: string, fault: MaskFault): void
  /** Whether it is worth a request to learn if the mask hid what did not come. */
  isProofWanted(of: MaskedThing): boolean
  /** The mask hid nothing: it does not come without one, either. */
  acquitted(of: MaskedThing): void
}

export type FieldMaskOptions = {
  areUsed: boolean
  /** Counts milliseconds and never goes back. */
  clock: () => number
  /** How long a video is evidence, and how long an acquittal holds. */
  evidenceMs: number
  acquittalMs: number
  /** Told once, when they are switched off. */
  onOff?: ((fault: MaskFault) => void) | undefined
}

/** One video may be odd in itself. */
const VIDEOS_MIN = 2

export function openFieldMasks(options: FieldMaskOptions): FieldMasks {
  const { clock, evidenceMs, acquittalMs, onOff } = options
  let areUsed = options.areUsed
  const acquittedUntilMs = new Map<MaskedThing, number>()
  const failedAtMs = new Map<string, number>()
  return {
    areUsed: () => areUsed,
    failed(videoId, fault) {
      if (!areUsed) return
      for (const [id, atMs] of failedAtMs) if (atMs < clock() - evidenceMs) failedAtMs.delete(id)
      failedAtMs.set(videoId, clock())
      acquittedUntilMs.clear()
      if (failedAtMs.size < VIDEOS_MIN) return
      areUsed = false
      failedAtMs.clear()
      onOff?.(fault)
    },
    isProofWanted: (of) => areUsed && clock() >= (acquittedUntilMs.get(of) ?? 0),
    acquitted: (of) => void acquittedUntilMs.set(of, clock() + acquittalMs),
  }
}

/** What an answer says of the mask it was asked with; `other`: nothing. */
export type Judged = MaskFault | 'works' | 'other'

/** A mask may be what the platform did not understand, or what left nothing of the reply. */
export function judgeObstacle({ name }: NamedObstacle): Judged {
  const isSuspect = name === 'bad_request' || name === 'retired' || name === 'unreadable'
  return isSuspect ? 'refused' : 'other'
}

/**
 * Asks with the mask, and at once without it where the mask may be at fault. What is `hiding` may as well not
 * exist, which is asked for only now and then: else every undated video would cost two requests.
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
