/** Jobs of all accounts, newest first, or those in one state. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CONSOLE_PAGE, operatorJobsQuery } from '../../api/operator.ts'
import { Button } from '../../parts/controls.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { jobRow, JOB_COLUMNS } from './job-row.tsx'
import { ConsoleTable } from './table.tsx'
import { STATE_WORDS } from '../../words.ts'

export function JobsPart() {
  const [state, setState] = useState('')
  const [offset, setOffset] = useState(0)
  const { data, error, refetch } = useQuery(operatorJobsQuery(state, offset))
  return (
    <>
      <label className="mb-6 block text-sm font-medium">
        State
        <select
          value={state}
          onChange={(event) => {
            setState(event.target.value)
            setOffset(0)
          }}
          className="mt-1.5 block h-11 rounded-lg border border-control bg-surface px-3 text-base"
        >
          <option value="">All</option>
          {Object.entries(STATE_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading lines={4} label="Loading the jobs" />}
      {data !== undefined && (
        <ConsoleTable name="Jobs" columns={JOB_COLUMNS} rows={data.jobs.map(jobRow)} />
      )}
      {data !== undefined && (offset > 0 || data.nextOffset !== null) && (
        <div className="mt-6 flex justify-between">
          <Button
            size="small"
            disabled={offset === 0}
            onClick={() => setOffset(offset - CONSOLE_PAGE)}
          >
            Newer
          </Button>
          <Button
            size="small"
            disabled={data.nextOffset === null}
            onClick={() => setOffset(offset + CONSOLE_PAGE)}
          >
            Older
          </Button>
        </div>
      )}
    </>
  )
}
