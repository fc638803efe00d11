/** Jobs of all accounts, newest first, or those in one state. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CONSOLE_PAGE, operatorJobsQuery } from '../../api/operator.ts'
import { dayOfYear } from '../../format.ts'
import { OUTCOMES, TallyBars } from '../../parts/bars.tsx'
import { Button, Section } from '../../parts/controls.tsx'
import { ListChoice } from '../../parts/list-head.tsx'
import { Waiting } from '../../parts/states.tsx'
import { JobTable } from './job-table.tsx'
import { STATE_WORDS } from '../../words.ts'

export function JobsPart() {
  const [state, setState] = useState('')
  const [offset, setOffset] = useState(0)
  const query = useQuery(operatorJobsQuery(state, offset))
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={4} label="Loading the jobs" />
  const choice = (
    <ListChoice
      label="State"
      value={state}
      onChange={(event) => {
        setState(event.target.value)
        setOffset(0)
      }}
    >
      <option value="">All states</option>
      {Object.entries(STATE_WORDS).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </ListChoice>
  )
  return (
    <div className="space-y-10">
      <Section title="Videos of the last 30 days">
        <TallyBars
          name="Videos of the last 30 days"
          one="video"
          kinds={OUTCOMES}
          bars={data.days.map(({ day, ...outcomes }) => ({ ...outcomes, label: dayOfYear(day) }))}
        />
      </Section>
      <Section title="Newest jobs" action={choice}>
        <JobTable name="Jobs" jobs={data.jobs} />
        {(offset > 0 || data.nextOffset !== null) && (
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
      </Section>
    </div>
  )
}
