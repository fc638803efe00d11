/**
 * What each pasted line was understood as, or why it was not. It also shows, as the preview finds out, what a job would
 * get from the line.
 */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SourcesPreview } from '../api/account.ts'
import type { OwnedChoice, Preview, PreviewSource } from '../api/client.ts'
import { counted, day } from '../format.ts'
import { lineWords } from '../preview-words.ts'
import { Button } from './controls.tsx'

const KINDS = { video: 'Video', playlist: 'Playlist', channel: 'Channel' }

type Line = SourcesPreview['lines'][number]

/** `found` belongs to exactly these lines; undefined while unknown. */
export function PreviewedLines({
  preview,
  found,
  owned,
  onRemove,
}: {
  preview: SourcesPreview | undefined
  found: Preview | undefined
  /** What becomes of videos that the account owns by other orders. */
  owned: OwnedChoice
  /** Removes the unusable lines from the text. */
  onRemove: () => void
}) {
  const lines = preview?.lines ?? []
  const unclear = lines.filter(({ kind }) => kind === null).length
  const isTooMany = preview !== undefined && preview.lineCount - unclear > preview.linesMax
  const sources = new Map(found?.sources.map((source) => [source.line, source]))
  return (
    <div className="min-h-6">
      <p role="status" className="sr-only">
        {lines.length > 0 && `${lines.length - unclear} of ${lines.length} lines understood.`}
        {found?.state === 'ready' && ` ${counted(found.wouldTake, 'video')} to fetch.`}
      </p>
      {isTooMany && (
        <p className="mb-2 text-sm font-medium text-danger">
          {preview.lineCount} lines are more than a job takes: {preview.linesMax} at most.
        </p>
      )}
      {unclear > 0 && (
        <p className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
          {unclear === lines.length ? 'No line can be used.' : 'What cannot be used is left out.'}
          <Button size="small" onClick={onRemove}>
            Remove {counted(unclear, 'unusable line')}
          </Button>
        </p>
      )}
      <ul aria-label="Recognised lines" className="max-h-96 space-y-2 overflow-auto text-sm">
        {lines.map((line) => (
          <li key={line.line}>
            {line.kind === null ? (
              <Unclear line={line} />
            ) : (
              <Understood
                line={line}
                source={sources.get(line.line)}
                preview={found}
                owned={owned}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Unclear({ line: { line, about } }: { line: Line }) {
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-3">
      <span className="font-medium text-danger">Not usable</span>
      <span className="min-w-0">
        <del className="block truncate text-muted">
          <bdi>{line}</bdi>
        </del>
        <span dir="auto">{about}</span>
      </span>
    </div>
  )
}

function Understood({
  line: { kind, about },
  source,
  preview,
  owned,
}: {
  line: Line
  source: PreviewSource | undefined
  preview: Preview | undefined
  owned: OwnedChoice
}) {
  const name = source?.title ?? null
  return (
    <div className="grid min-h-12 grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-3">
      <Still key={source?.pictureUrl ?? ''} address={source?.pictureUrl ?? null} />
      <span className="min-w-0">
        <span className="flex items-baseline gap-2">
          <span className="shrink-0 font-medium text-accent">{kind !== null && KINDS[kind]}</span>
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
          {source === undefined || preview === undefined
            ? 'Checking …'
            : lineWords(source, { preview, owned })}
          {source?.ownedFrom !== undefined && <OwnedFrom from={source.ownedFrom} />}
        </span>
      </span>
    </div>
  )
}

/** Leads to the latest order that brought some of them. */
function OwnedFrom({ from: { jobId, since } }: { from: { jobId: string; since: string } }) {
  return (
    <>
      {' · '}
      <Link to="/jobs/$id" params={{ id: jobId }} className="link">
        order of {day(since)}
      </Link>
    </>
  )
}

/** A still from the platform; an empty frame where there is none, or where the browser cannot load it. */
function Still({ address }: { address: string | null }) {
  const [isMissing, setMissing] = useState(false)
  const frame = 'h-[3.09rem] w-[5.5rem] rounded-md bg-sunken'
  if (address === null || isMissing) return <span aria-hidden="true" className={frame} />
  return (
    <img
      src={address}
      alt=""
      width={320}
      height={180}
      loading="lazy"
      referrerPolicy="no-referrer"
      className={`${frame} object-cover`}
      onError={() => setMissing(true)}
    />
  )
}
