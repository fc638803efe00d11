/** Opens a text at the time in its address: `?t=247&end=252`, whose words are marked, or `#t=4:07`. */
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { TimeAddress } from '../addresses.ts'
import type { Found } from '../matches.ts'
import { placeAt, rangeAt, type Reading, timeOfHash } from '../reading.ts'
import type { TextHandle } from './transcript-text.tsx'
import { firstFrom, paragraphOf } from './use-search-within.ts'

type Opening = {
  reading: Reading
  isWhole: boolean
  time: TimeAddress
  matches: Found[][]
  text: RefObject<TextHandle | null>
  onCurrent: (match: number) => void
  onSeek: ((ms: number) => void) | null
}

/**
 * Returns the marked place, and where to note a hash that a click wrote: such an address moves nothing. A hash is newer
 * than the rest of the address, since clicks write it.
 */
export function useOpenAt({ reading, isWhole, time, matches, text, onCurrent, onSeek }: Opening) {
  const hash = useLocation({ select: (location) => location.hash })
  const { t, end } = time
  const place = useMemo(
    () =>
      t === undefined ? null : rangeAt(reading, t * 1000, end === undefined ? null : end * 1000),
    [reading, t, end],
  )
  const address = `${hash} ${t} ${end}`
  const opened = useRef<string | null>(null)
  const clicked = useRef<string | null>(null)
  useEffect(() => {
    if (!isWhole || opened.current === address) return
    const isFirst = opened.current === null
    opened.current = address
    // The router also sees times that a click wrote into the address; text and video are at that time already.
    if (hash !== '' && hash === clicked.current) return
    const ms = timeOfHash(hash)
    if (ms === null && place !== null) {
      onCurrent(firstFrom(matches, place.from.paragraph, place.from.offset))
      text.current?.show(place.from.paragraph, 'mark[data-place]')
      onSeek?.((t ?? 0) * 1000)
      return
    }
    // Without a time, the text opens at the word that led here.
    if (ms === null && !(isFirst && matches.some((found) => found.length > 0))) return
    const at =
      ms === null ? { paragraph: paragraphOf(matches, 0), from: 0 } : placeAt(reading, ms + 999)
    onCurrent(firstFrom(matches, at.paragraph, at.from))
    text.current?.show(at.paragraph)
    if (ms !== null) onSeek?.(ms)
  }, [address, hash, t, place, reading, isWhole, matches, text, onCurrent, onSeek])
  return { place, clicked }
}
