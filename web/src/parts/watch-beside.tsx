/** The column beside a transcript: its video, once the reader asks for it, and its chapters. */
import { Link } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import type { JobVideo } from '../api/client.ts'
import { counted } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { Button } from './controls.tsx'
import { Player, type PlayerHandle } from './player.tsx'

type Props = {
  video: JobVideo
  /** Position at which the video begins, in milliseconds; null before the reader asks for the player. */
  playedFromMs: number | null
  player: Ref<PlayerHandle>
  /** Whether another text has the place beside: then it looks as on a narrow screen. */
  isFolded: boolean
  onPlay: () => void
  onTime: (ms: number) => void
  onClose: () => void
}

export function WatchBeside({ video, playedFromMs, player, isFolded, ...acts }: Props) {
  const { onPlay, onTime, onClose } = acts
  const [isWide] = useState(() => matchMedia('(min-width: 64rem)').matches)
  return (
    <aside
      aria-label="Video"
      className={`print:hidden ${isFolded ? '' : 'lg:col-start-2 lg:row-span-2 lg:row-start-1'}`}
    >
      <div className={isFolded ? '' : 'lg:sticky lg:top-4 lg:space-y-6'}>
        {video.videoId !== null && playedFromMs === null && !isFolded && (
          <div className="hidden rounded-xl border border-line bg-surface p-4 lg:block">
            <Button onClick={onPlay} className="w-full">
              ▶ Play beside the text
            </Button>
            <p className="mt-2 text-sm text-muted">
              Loads the YouTube player; nothing is requested from YouTube before that. The text
              follows along, and a click on a word jumps there.
            </p>
          </div>
        )}
        {video.videoId !== null && playedFromMs !== null && (
          <div className={`${IN_CORNER} ${isFolded ? '' : IN_COLUMN}`}>
            <Player
              handle={player}
              videoId={video.videoId}
              startMs={playedFromMs}
              onTime={onTime}
            />
            <Button
              size="small"
              className={`absolute -top-10 right-0 ${isFolded ? '' : 'lg:static lg:mt-1'}`}
              onClick={onClose}
            >
              Close the player
            </Button>
            {video.hasWordTimes && !isFolded && (
              <p className="mt-2 text-sm text-muted max-lg:hidden">
                In the text, ← and → choose a word, and Enter plays from it.
              </p>
            )}
          </div>
        )}
        <Chapters video={video} isOpen={isWide && !isFolded} />
      </div>
    </aside>
  )
}

/** The player stands over the text, or beside it where there is room. */
const IN_CORNER = 'fixed right-3 bottom-3 z-20 w-60 rounded-xl shadow-card'
const IN_COLUMN = 'lg:static lg:w-auto lg:rounded-none lg:shadow-none'

function Chapters({ video: { chapters }, isOpen }: { video: JobVideo; isOpen: boolean }) {
  if (chapters === null || chapters.length === 0) return null
  return (
    <nav aria-label="Chapters" className="mb-2 text-sm">
      <details open={isOpen}>
        <summary className="min-h-6 w-fit font-medium text-muted hover:text-ink">
          {counted(chapters.length, 'chapter')}
        </summary>
        <ol className="max-h-80 overflow-auto">
          {chapters.map(({ startMs, title }) => (
            <li key={`${startMs} ${title}`}>
              <Link
                to="."
                search
                hash={`t=${clock(startMs)}`}
                hashScrollIntoView={false}
                className="flex min-h-8 gap-3 py-1 no-underline hover:text-accent"
              >
                <span className="numbers w-14 shrink-0 text-right text-muted">
                  {clock(startMs)}
                </span>
                <span dir="auto">{title}</span>
              </Link>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  )
}
