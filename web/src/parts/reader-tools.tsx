/** The row of tools above a transcript, which stays in sight: the search, copying it, its files, and all the rest. */
import { type ReactNode, Suspense, useState } from 'react'
import type { Job, JobVideo } from '../api/client.ts'
import { counted } from '../format.ts'
import { readingMinutes, type Reading, wordsIn } from '../reading.ts'
import { Button, buttonLook } from './controls.tsx'
import { CopiedStatus, CopyButton, useCopy } from './copy.tsx'
import { lazyPart } from './lazy-part.ts'
import { Menu } from './menu.tsx'

const Actions = lazyPart(async () => (await import('./reader-actions.tsx')).ReaderActions)
const AddForm = lazyPart(async () => (await import('./add-to-project-form.tsx')).AddToProjectForm)

type Props = {
  read: () => Reading
  video: JobVideo
  job: Job | undefined
  /** Opens the player; null where it is open, or there is none. */
  onPlay: (() => void) | null
  /** Whether there is no card beside the text that has the player's button. */
  isNarrow: boolean
  /** The search. */
  children: ReactNode
}

export function ReaderTools({ read, video, job, onPlay, isNarrow, children }: Props) {
  const [isOpened, setOpened] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const { outcome, copy } = useCopy()
  const copyText = () => textOf(read())
  return (
    <>
      <div className="sticky top-0 z-10 -mx-2 mb-4 flex items-center gap-2 bg-paper px-2 py-2 print:hidden">
        {children}
        <div className="ml-auto flex shrink-0 gap-2 sm:gap-1 max-sm:peer-focus-within:hidden max-sm:peer-data-asked:hidden">
          {onPlay !== null && (
            <Button
              size="small"
              className={isNarrow ? '' : 'lg:hidden'}
              aria-label="Play beside the text"
              title="Loads the YouTube player; nothing is requested from YouTube before that."
              onClick={onPlay}
            >
              ▶ Play
            </Button>
          )}
          <div className="max-sm:hidden">
            <CopyButton kind="quiet" label="Copy the text" text={copyText} />
          </div>
          <Menu
            label={OUTCOMES[outcome ?? 'none']}
            look={buttonLook('plain', 'small')}
            isAtEnd
            onToggle={() => setOpened(true)}
          >
            {isOpened && (
              <Suspense fallback={<p className="min-h-60 px-3 py-2 text-muted">Loading …</p>}>
                <Actions
                  {...{ video, job, read, copyText }}
                  onCopy={copy}
                  onAdd={() => setAdding(true)}
                />
              </Suspense>
            )}
          </Menu>
          <CopiedStatus isCopied={outcome === 'copied'} />
        </div>
      </div>
      {isAdding && (
        <div className="mb-6 print:hidden">
          <Suspense fallback={null}>
            <AddForm
              what={{ videos: [{ jobId: video.jobId, index: video.index }] }}
              onEnd={() => setAdding(false)}
            />
          </Suspense>
        </div>
      )}
    </>
  )
}

const OUTCOMES = { none: 'Actions', copied: 'Copied', refused: 'Not copied' }

function textOf({ paragraphs }: Reading): string {
  return paragraphs.map(({ text }) => text).join('\n\n')
}

/** Returns "12,345 words, " and "54 minutes to read". */
export function lengthWords({ paragraphs }: Reading, language: string | null): [string, string] {
  const words = paragraphs.reduce((sum, { text }) => sum + wordsIn(text, language), 0)
  return [`${counted(words, 'word')}, `, `${counted(readingMinutes(words), 'minute')} to read`]
}
