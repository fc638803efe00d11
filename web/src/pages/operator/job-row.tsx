/** A job in a table of the console, with why it waits and a button to cancel it. */
import type { OperatorJob } from '../../api/account.ts'
import { actOnConsole } from '../../api/operator.ts'
import { usdInColumn, when } from '../../format.ts'
import { AccountLink } from './account-link.tsx'
import { ActForm } from './act-form.tsx'
import type { ConsoleRow } from './table.tsx'

export const JOB_COLUMNS = ['Job', 'Account', 'State', 'Delivered', 'Reserved']

const OPEN = ['queued', 'running', 'cancelling']

export function jobRow(job: OperatorJob): ConsoleRow {
  return {
    key: job.jobId,
    cells: [
      <span key="job" className="block w-64 wrap-anywhere">
        {job.urls[0]}
        {job.lines > 1 && ` and ${job.lines - 1} more`}
        <span className="block text-sm text-muted">
          {job.jobId} · {when(job.createdAt)}
        </span>
      </span>,
      <AccountLink key="account" id={job.accountId} email={job.email} />,
      <div key="state" className="w-60 space-y-2">
        <p>
          {job.state}
          {(job.waiting ?? job.error) !== null && (
            <span className="block text-sm text-muted">{job.waiting ?? job.error}</span>
          )}
        </p>
        {OPEN.includes(job.state) && (
          <ActForm
            name="Cancel the job"
            about="What it has delivered is charged and the rest of its reserve is released. The job says that an operator cancelled it, but not why."
            isDangerous
            onAct={(reason) => actOnConsole(`/jobs/${job.jobId}/cancel`, { reason })}
          />
        )}
      </div>,
      `${job.delivered} of at most ${job.maxVideos}`,
      usdInColumn(job.charged ?? job.reserved) + (job.charged === null ? '' : ' charged'),
    ],
  }
}
