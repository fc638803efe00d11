/** The column beside a transcript: its video, once the reader asks for it, and its chapters. */
import { Link } from '@tanstack/react-router'
import type { Ref } from 'react'
import type { JobVideo } from '../api/client.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { Button } from './controls.tsx'
import { Player, type PlayerHandle } from './player.tsx'

type Props = {
  video: JobVideo
  /** Position at which the video begins, in milliseconds; null before the reader asks for the player. */
  playedFromMs: number | null
  player: Ref<PlayerHandle>
  onPlay: () => void
  onTime: (ms: number) => void
  onClose: () => void
}

export function WatchBeside({ video, playedFromMs, player, onPlay, onTime, onClose }: Props) {
  return (
    <aside
      aria-label="Video"
      className="mb-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 print:hidden"
    >
      <div className="space-y-6 lg:sticky lg:top-4">
        {video.videoId !== null && playedFromMs === null && (
          <div className="rounded-xl border border-line bg-surface p-4">
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
          <div className="max-lg:fixed max-lg:right-3 max-lg:bottom-3 max-lg:z-20 max-lg:w-60 max-lg:rounded-xl max-lg:shadow-card">
            <Player
              handle={player}
              videoId={video.videoId}
              startMs={playedFromMs}
              onTime={onTime}
            />
            <Button
              size="small"
              className="mt-1 max-lg:absolute max-lg:-top-10 max-lg:right-0"
              onClick={onClose}
            >
              Close the player
            </Button>
            {video.hasWordTimes && (
              <p className="mt-2 text-sm text-muted max-lg:hidden">
                In the text, ← and → choose a word, and Enter plays from it.
              </p>
            )}
          </div>
        )}
        <Chapters video={video} />
      </div>
    </aside>
  )
}

function Chapters({ video: { chapters } }: { video: JobVideo }) {
  if (chapters === null || chapters.length === 0) return null
  return (
    <nav aria-label="Chapters" className="text-sm">
      <h2 className="mb-2 font-sans text-sm font-medium text-muted">Chapters</h2>
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
              <span className="numbers w-14 shrink-0 text-right text-muted">{clock(startMs)}</span>
              <span dir="auto">{title}</span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
