/** The words of a text with their times: the one that is spoken, and the one that is chosen by keys. */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { JobVideo } from '../api/client.ts'
import { wordsQuery } from '../api/words.ts'
import type { Reading } from '../reading.ts'
import { firstWordFrom, placeOfWord, wordAt, type WordTimes, wordTimesOf } from '../word-times.ts'
import type { TextHandle } from './transcript-text.tsx'
import { isInSight } from './use-said.ts'

/** The player tells its position a few times a second; words that begin until it does are marked by our own clock. */
const AHEAD_MS = 300
/** A step between two positions that is not longer is one of a video that plays. */
const PLAYED_MS_MAX = 1_000

/** Returns null where a text has no word times, and until they are wanted and read. */
export function useWordTimes(
  reading: Reading,
  { jobId, index, hasWordTimes }: JobVideo,
  { isWhole, isWanted }: { isWhole: boolean; isWanted: boolean },
): WordTimes | null {
  const enabled = hasWordTimes && isWanted
  const { data: words } = useQuery({ ...wordsQuery(jobId, index), enabled })
  return useMemo(
    () => (words === undefined || !isWhole ? null : wordTimesOf(reading, words)),
    [reading, words, isWhole],
  )
}

/** Returns the word that is being said; null also for readers who asked for less motion, since the mark moves. */
export function useSpokenWord(words: WordTimes | null, saidMs: number | null): number | null {
  const [spoken, setSpoken] = useState<number | null>(null)
  const before = useRef<number | null>(null)
  useEffect(() => {
    const stepMs = (saidMs ?? 0) - (before.current ?? Infinity)
    before.current = saidMs
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const now = words === null || saidMs === null || isStill ? null : wordAt(words, saidMs)
    setSpoken(now)
    const isPlaying = stepMs > 0 && stepMs <= PLAYED_MS_MAX
    if (words === null || saidMs === null || now === null || !isPlaying) return undefined
    const timers: ReturnType<typeof setTimeout>[] = []
    for (let next = now + 1; ; next += 1) {
      const afterMs = (words.startsMs[next] ?? Infinity) - saidMs
      if (afterMs > AHEAD_MS) break
      timers.push(setTimeout(() => setSpoken(next), afterMs))
    }
    return () => timers.forEach(clearTimeout)
  }, [words, saidMs])
  return spoken
}

type Keys = {
  words: WordTimes
  spoken: number | null
  text: RefObject<TextHandle | null>
  onSeek: (ms: number) => void
}

/**
 * Returns the word that the arrow keys chose while the text has the focus, and what the text does with keys: Enter
 * plays from the word. Null where there is nothing to play, or no times of words.
 */
export function useWordKeys(keys: Keys | null) {
  const [chosen, setChosen] = useState<number | null>(null)
  const onLeave = () => setChosen(null)
  if (keys === null) return { keyed: null, onKey: null, onLeave }
  const { words, spoken, text, onSeek } = keys
  const begun = () => {
    if (spoken !== null && isInSight('[data-said]')) return spoken
    return firstWordFrom(words, text.current?.first() ?? 0)
  }
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget, key } = event
    if (target !== currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Enter' && chosen !== null) onSeek(words.startsMs[chosen] ?? 0)
    if (key !== 'ArrowRight' && key !== 'ArrowLeft') return
    event.preventDefault()
    const isKnown = chosen !== null && isInSight('[data-chosen]')
    const step = (key === 'ArrowRight') === isLeftToRight(currentTarget) ? 1 : -1
    const next = isKnown ? Math.max(0, Math.min(chosen + step, words.froms.length - 1)) : begun()
    setChosen(next)
    text.current?.show(placeOfWord(words, next).paragraph, '[data-chosen]')
  }
  return { keyed: chosen, onKey, onLeave }
}

/** Returns the direction of the text, which its paragraphs have from their letters. */
function isLeftToRight(text: HTMLElement): boolean {
  const paragraph = text.querySelector('p')
  return paragraph === null || getComputedStyle(paragraph).direction === 'ltr'
}
