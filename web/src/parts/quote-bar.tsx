/** The small bar at words that a reader chose: copying them as a quote, a link to them, their second in the video. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { JobVideo } from '../api/client.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { placeAddress } from '../place-links.ts'
import { videoAt } from '../../../src/model/files/video-at.ts'
import { quoteIn, type Reading } from '../reading.ts'
import { buttonLook } from './controls.tsx'
import { OutIcon } from './icons.tsx'
import { QuoteTools } from './quote-tools.tsx'
import type { ChosenText } from './use-chosen-text.ts'

/** Distance from the words, with room for the handles of a touch screen. */
const GAP_PX = 10

type Props = { chosen: ChosenText; reading: Reading; video: JobVideo; onClose: () => void }

export function QuoteBar({ chosen, reading, video, onClose }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const place = usePlaceBeside(bar, chosen)
  const quote = quoteIn(reading, chosen.range)
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      // What is focused goes with the bar: the reader stays at the paragraph.
      if (bar.current?.contains(document.activeElement) === true)
        bar.current.parentElement?.querySelector<HTMLElement>('a[data-time]')?.focus()
      onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])
  if (quote === null) return null
  const { jobId, index, url } = video
  return (
    <div
      ref={bar}
      data-quote
      role="group"
      aria-label="Quote"
      style={place}
      onClick={(event) => event.stopPropagation()}
      // A press would take the selection away, and with it the bar; the list of forms needs its press.
      onMouseDown={(event) => (event.target as Element).closest('select') ?? event.preventDefault()}
      className="absolute z-20 flex w-max max-w-full cursor-default flex-wrap items-center gap-1 rounded-xl border border-line bg-surface p-1.5 font-sans leading-normal shadow-card select-none print:hidden"
    >
      <QuoteTools video={video} quote={quote} address={placeAddress({ jobId, index, ...quote })} />
      {url !== null && (
        <a
          href={videoAt(url, quote.startMs)}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open the video at ${clock(quote.startMs)}`}
          className={buttonLook('quiet', 'small')}
        >
          <OutIcon /> Video
        </a>
      )}
    </div>
  )
}

/** Returns where the bar stands in its row: below the words, or above them where the window ends there. */
function usePlaceBeside(bar: { current: HTMLElement | null }, { first, last }: ChosenText) {
  const [place, setPlace] = useState({ top: 0, left: 0 })
  useLayoutEffect(() => {
    const { current } = bar
    const row = current?.parentElement?.getBoundingClientRect()
    if (current === null || row === undefined) return
    const { offsetWidth, offsetHeight } = current
    const isBelow = last.bottom + GAP_PX + offsetHeight < innerHeight || first.top < offsetHeight
    const top = isBelow ? last.bottom + GAP_PX : first.top - GAP_PX - offsetHeight
    const left = last.right - row.left - offsetWidth / 2
    setPlace({
      top: top - row.top,
      left: Math.max(0, Math.min(left, row.width - offsetWidth)),
    })
  }, [bar, first, last])
  return place
}
