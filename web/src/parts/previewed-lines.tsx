/**
 * What each pasted line was understood as, or why it was not. It also shows, as the preview finds out, what a job would
 * get from the line.
 */
import type { SourcesPreview } from '../api/account.ts'
import { JOB_LINES_MAX } from '../api/batches.ts'
import type { OwnedChoice, Preview, PreviewSource } from '../api/client.ts'
import { count, counted, dotted } from '../format.ts'
import { PICTURES, useKept } from '../kept-choice.ts'
import { lineWords } from '../preview-words.ts'
import { Button } from './controls.tsx'
import { KIND_WORDS } from '../words.ts'
import { Still } from './list-row.tsx'
import { OwnedFrom } from './owned-from.tsx'

type Line = SourcesPreview['lines'][number]

type Props = {
  preview: SourcesPreview | undefined
  /** What a job would get; undefined while unknown. */
  found: Preview | undefined
  /** What becomes of videos that the account owns by other orders. */
  owned: OwnedChoice
  /** Whether `preview` is of an earlier text. */
  isStale: boolean
  /** Whether `found` is of an earlier request, of which only titles and pictures still hold. */
  isLooking: boolean
  /** Why `found` stays unknown; empty where the reason stands at a field, null where nothing was refused. */
  refusal: string | null
  /** Removes the unusable lines from the text. */
  onRemove: () => void
  /** Puts what was probably meant in the place of a line. */
  onMend: (line: Line) => void
}

export function PreviewedLines(props: Props) {
  const { preview, found, owned, isStale, isLooking, refusal } = props
  const { onRemove, onMend } = props
  const lines = preview?.lines ?? []
  const { unclear = 0, links = 0, linesMax = 0, lineCount = 0, document = null } = preview ?? {}
  const isTooMany = lineCount > linesMax
  const sources = new Map(found?.sources.map((source) => [source.line, source]))
  const wordsOf = (source: PreviewSource | undefined): string => {
    if (refusal !== null) return 'Not looked up'
    if (links > JOB_LINES_MAX) return ''
    if (source === undefined || found === undefined || isLooking) return 'Checking …'
    return lineWords(source, { preview: found, owned })
  }
  return (
    <div className="min-h-6">
      <p role="status" className="mb-2 text-sm font-medium">
        {isStale && lines.length > 0
          ? 'Checking … The lines below are as they were before.'
          : preview !== undefined && countWords(preview)}
        {!isStale && !isLooking && found?.state === 'ready' && (
          <span className="sr-only">. {counted(found.wouldTake, 'video')} to fetch.</span>
        )}
      </p>
      {document !== null && <p className="mb-2 text-sm wrap-anywhere">{document}</p>}
      {isTooMany && (
        <p className="mb-2 text-sm font-medium text-danger">
          {count(lineCount)} lines are more than an order takes: {count(linesMax)} at most.
        </p>
      )}
      {refusal !== null && refusal !== '' && (
        <p className="mb-2 text-sm text-warn">No preview: {refusal}</p>
      )}
      {unclear > 0 && (
        <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          {links === 0 ? 'No line can be used.' : 'What cannot be used is left out.'}
          <Button size="small" disabled={isStale} onClick={onRemove}>
            Remove {counted(unclear, 'unusable line')}
          </Button>
        </p>
      )}
      <div
        role="group"
        aria-label="Lines"
        tabIndex={lines.length > 3 ? 0 : undefined} // a keyboard scrolls it
        aria-busy={isStale}
        className={`scroll-box max-h-96 text-sm ${isStale ? 'opacity-50' : ''}`}
      >
        <ul aria-label="Recognised lines" className="space-y-2">
          {lines.map((line) => (
            <li key={line.line}>
              {line.kind === null ? (
                <Unclear {...{ line, isStale, onMend }} />
              ) : (
                <Understood
                  source={sources.get(line.line)}
                  words={wordsOf(sources.get(line.line))}
                  {...{ line, isStale, onMend }}
                />
              )}
            </li>
          ))}
        </ul>
        <Unshown links={links} />
      </div>
      {!isStale && <Owned found={isLooking ? undefined : found} />}
    </div>
  )
}

function Owned({ found }: Pick<Props, 'found'>) {
  return (
    <p className="mt-2 text-sm text-muted empty:hidden">
      <OwnedFrom sources={found?.sources ?? []} />
    </p>
  )
}

function Unshown({ links }: { links: number }) {
  if (links <= JOB_LINES_MAX) return null
  return (
    <p className="mt-2 text-muted">
      and {count(links - JOB_LINES_MAX)} more, each of which is checked when its turn comes
    </p>
  )
}

/** Returns "14 links found · 3 lines not understood · 1 repeated". */
function countWords({ links, unclear, repeats }: SourcesPreview): string {
  if (links + unclear === 0) return ''
  const parts = [
    `${counted(links, 'link')} found`,
    unclear > 0 ? `${counted(unclear, 'line')} not understood` : null,
    repeats > 0 ? `${count(repeats)} repeated` : null,
  ]
  return dotted(parts)
}

type MendProps = { line: Line; isStale: boolean; onMend: (line: Line) => void }

function Mend({ line, isStale, onMend }: MendProps) {
  if (line.suggestion === null) return null
  return (
    <Button size="small" className="mt-1" disabled={isStale} onClick={() => onMend(line)}>
      <span>
        Did you mean <bdi>{line.suggestion}</bdi>?
      </span>
    </Button>
  )
}

function Unclear(mending: MendProps) {
  const { line } = mending
  return (
    <div>
      <span className="flex items-baseline gap-2">
        <span className="shrink-0 font-medium text-danger">Not usable</span>
        <del className="truncate text-muted" dir="auto">
          {line.line}
        </del>
      </span>
      <p>
        {line.number > 0 && <span className="text-muted">line {count(line.number)} · </span>}
        <span className="inline-block first-letter:uppercase">{line.about}</span>
      </p>
      <Mend {...mending} />
    </div>
  )
}

type UnderstoodProps = MendProps & { source: PreviewSource | undefined; words: string }

function Understood({ source, words, ...mending }: UnderstoodProps) {
  const { kind, about } = mending.line
  const name = source?.title ?? null
  const hasPictures = useKept(PICTURES) === 'on'
  return (
    <div className="flex min-h-12 items-center gap-3">
      {hasPictures && <Still address={source?.pictureUrl ?? null} />}
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="shrink-0 font-medium text-accent">
            {kind !== null && KIND_WORDS[kind]}
          </span>
          <span
            className={
              name === null
                ? 'truncate font-mono text-[0.8125rem] text-muted'
                : 'truncate font-medium'
            }
            dir="auto"
          >
            {name ?? about}
          </span>
        </span>
        <span className={`block ${source?.error == null ? 'text-muted' : 'text-warn'}`}>
          {words}
        </span>
        {source?.error != null && <Mend {...mending} />}
      </span>
    </div>
  )
}
