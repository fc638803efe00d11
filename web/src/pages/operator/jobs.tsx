/** Jobs of all accounts, newest first, or those in one state. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CONSOLE_PAGE, operatorJobsQuery } from '../../api/operator.ts'
import { Button, Choice } from '../../parts/controls.tsx'
import { Waiting } from '../../parts/states.tsx'
import { jobRow, JOB_COLUMNS } from './job-row.tsx'
import { ConsoleTable } from './table.tsx'
import { STATE_WORDS } from '../../words.ts'

export function JobsPart() {
  const [state, setState] = useState('')
  const [offset, setOffset] = useState(0)
  const query = useQuery(operatorJobsQuery(state, offset))
  const { data } = query
  return (
    <>
      <Choice
        label="State"
        value={state}
        onChange={(event) => {
          setState(event.target.value)
          setOffset(0)
        }}
        className="mb-6 w-fit"
      >
        <option value="">All</option>
        {Object.entries(STATE_WORDS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Choice>
      <Waiting query={query} lines={4} label="Loading the jobs" />
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
