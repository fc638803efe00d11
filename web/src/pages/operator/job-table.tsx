/** Jobs in a table of the console, each with why it waits and a button to cancel it. */
import type { OperatorJob } from '../../api/account.ts'
import { actOnConsole } from '../../api/operator.ts'
import { count, recently, usdInColumn } from '../../format.ts'
import { CopyId } from '../../parts/copy.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { STATE_WORDS } from '../../words.ts'
import { ActForm } from './act-form.tsx'
import { AccountLink } from './detail.tsx'

const OPEN: readonly OperatorJob['state'][] = ['queued', 'running', 'cancelling']

export function JobTable({ name, jobs }: { name: string; jobs: readonly OperatorJob[] }) {
  return (
    <DataTable
      name={name}
      rows={jobs}
      keyOf={({ jobId }) => jobId}
      columns={({ figure, wide }) => ({
        Job: ({ jobId, title, createdAt }) => (
          <div className="min-w-36 sm:min-w-48">
            <bdi className="line-clamp-2 wrap-anywhere">{title}</bdi>
            <span className="text-sm text-muted">
              {recently(createdAt)} · <CopyId id={jobId} />
            </span>
          </div>
        ),
        Account: wide(({ accountId, email }) => <AccountLink id={accountId} email={email} />),
        State: StateOf,
        Delivered: wide(
          figure(({ delivered, maxVideos }) => `${count(delivered)} of ${count(maxVideos)}`),
        ),
        Reserved: wide(figure(({ reserved }) => usdInColumn(reserved))),
        Charged: figure(({ charged }) => (charged === null ? '–' : usdInColumn(charged))),
      })}
    />
  )
}

function StateOf({ jobId, state, waiting, error }: OperatorJob) {
  const why = waiting ?? error
  return (
    <div className="max-w-60 space-y-2">
      <p>{STATE_WORDS[state]}</p>
      {why !== null && <p className="text-sm text-muted">{why}</p>}
      {OPEN.includes(state) && (
        <ActForm
          name="Cancel the job"
          about="What it has delivered is charged and the rest of its reserve is released. The job says that an operator cancelled it, but not why."
          isDangerous
          onAct={(reason) => actOnConsole(`/jobs/${jobId}/cancel`, { reason })}
        />
      )}
    </div>
  )
}
