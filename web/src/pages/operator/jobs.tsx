/** Jobs of all accounts, newest first, or those in one state. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CONSOLE_PAGE, operatorJobsQuery } from '../../api/operator.ts'
import { dayOfYear } from '../../format.ts'
import { OUTCOMES, TallyBars } from '../../parts/bars.tsx'
import { Section } from '../../parts/controls.tsx'
import { ListChoice } from '../../parts/list-head.tsx'
import { Pager } from '../../parts/pager.tsx'
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
      options={[['', 'All states'], ...Object.entries(STATE_WORDS)]}
      onChoice={(next) => {
        setState(next)
        setOffset(0)
      }}
    />
  )
  return (
    <div className="space-y-10">
      <Section title="Videos of the last 30 days">
        <TallyBars
          name="Videos of the last 30 days"
          kinds={OUTCOMES}
          bars={data.days.map(({ day, ...outcomes }) => ({ ...outcomes, label: dayOfYear(day) }))}
        />
      </Section>
      <Section title="Newest jobs" action={choice}>
        <JobTable name="Jobs" jobs={data.jobs} />
        <Pager
          offset={offset}
          limit={CONSOLE_PAGE}
          hasNext={data.nextOffset !== null}
          onOffset={setOffset}
        />
      </Section>
    </div>
  )
}
