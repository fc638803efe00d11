/** What each pasted line was understood as, or why it was not. */
import type { Recognition } from '../api/account.ts'

const KINDS = { video: 'Video', playlist: 'Playlist', channel: 'Channel' }

export function RecognisedLines({ recognition }: { recognition: Recognition | undefined }) {
  const lines = recognition?.lines ?? []
  const unclear = lines.filter(({ kind }) => kind === null).length
  const isTooMany = recognition !== undefined && recognition.lineCount > recognition.linesMax
  return (
    <div className="min-h-6">
      <p role="status" className="sr-only">
        {lines.length > 0 && `${lines.length - unclear} of ${lines.length} lines understood.`}
      </p>
      {isTooMany && (
        <p className="mb-2 text-sm font-medium text-danger">
          {recognition.lineCount} lines are more than a job takes: {recognition.linesMax} at most.
        </p>
      )}
      <ul aria-label="Recognised lines" className="max-h-72 space-y-1 overflow-auto text-sm">
        {lines.map(({ line, kind, about }) => (
          <li key={line} className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-3">
            <span className={kind === null ? 'font-medium text-danger' : 'font-medium text-accent'}>
              {kind === null ? 'Not usable' : KINDS[kind]}
            </span>
            <span className="min-w-0">
              {kind === null && <bdi className="block truncate text-muted">{line}</bdi>}
              <span
                className={
                  kind === null ? '' : 'block truncate font-mono text-[0.8125rem] text-muted'
                }
                dir="auto"
              >
                {about}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
