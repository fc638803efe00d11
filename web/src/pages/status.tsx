/** How the service did in the last days, for everybody: no customer is named or counted. */
import { useQuery } from '@tanstack/react-query'
import { INCIDENT_WORDS, type ServiceStatus, statusQuery } from '../api/status.ts'
import { namedDay, when } from '../format.ts'
import { OUTCOMES, TallyBars } from '../parts/bars.tsx'
import { Notice, Section } from '../parts/controls.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Waiting } from '../parts/states.tsx'
import { NotFoundPage } from './not-found.tsx'

const WEEK = 7
const DAYS = 90
const NOTHING = { delivered: 0, answered: 0, blocked: 0, failed: 0 }

export function StatusPage() {
  const query = useQuery(statusQuery)
  const { data: status } = query
  if (status === null) return <NotFoundPage />
  return (
    <>
      <PageHead
        name="Status"
        about="What this service delivered on each of the last 90 days, and when something was wrong. Days are in UTC."
      />
      <Waiting query={query} lines={4} label="Loading the status" />
      {status !== undefined && <Shown status={status} />}
    </>
  )
}

function Shown({ status: { days, incidents, readAt } }: { status: ServiceStatus }) {
  const open = incidents.filter(({ endedAt }) => endedAt === null)
  return (
    <div className="space-y-10">
      {open.length === 0 ? (
        <Notice title="No incident is open." />
      ) : (
        open.map(({ kind, beganAt }) => (
          <Notice key={kind} tone="warn" title={`${INCIDENT_WORDS[kind]}.`}>
            Since {when(beganAt)}
          </Notice>
        ))
      )}
      <Section title="Videos">
        {days.length === 0 ? (
          <Empty title="Nothing was recorded yet" />
        ) : (
          <TallyBars
            name="Videos of the last 90 days"
            kinds={OUTCOMES}
            bars={everyDay(days, readAt)}
          />
        )}
      </Section>
      {days.length > 0 && (
        <Section title="Times" about="The median of each day: half took less, half took more.">
          <Times days={days.slice(-WEEK)} />
        </Section>
      )}
      <Section title="Incidents">
        {incidents.length === 0 && <p className="text-muted">None in the last 90 days.</p>}
        <ul className="divide-y divide-line">
          {incidents.map(({ kind, beganAt, endedAt }) => (
            <li key={`${kind} ${beganAt}`} className="py-2.5">
              {INCIDENT_WORDS[kind]}
              <span className="block text-sm text-muted">
                {when(beganAt)} – {endedAt === null ? 'now' : when(endedAt)}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <p className="text-sm text-muted">As of {when(readAt)}.</p>
    </div>
  )
}

/** Returns a bar for every day: on a day without a record the service did nothing, or was not running. */
function everyDay(days: ServiceStatus['days'], readAt: string) {
  const known = new Map(days.map((one) => [one.day, one]))
  return Array.from({ length: DAYS }, (_, at) => {
    const instant = new Date(readAt)
    instant.setUTCDate(instant.getUTCDate() - (DAYS - 1 - at))
    const day = instant.toISOString().slice(0, 10)
    const { delivered, answered, blocked, failed } = known.get(day) ?? NOTHING
    return { label: namedDay(day), delivered, answered, blocked, failed }
  })
}

function Times({ days }: { days: ServiceStatus['days'] }) {
  return (
    <DataTable
      name="Times by day"
      rows={days.toReversed()}
      keyOf={({ day }) => day}
      columns={({ figure }) => ({
        Day: ({ day }) => namedDay(day),
        'Until a job starts': figure(({ waitMs }) => seconds(waitMs)),
        'For each video': figure(({ videoMs }) => seconds(videoMs)),
      })}
    />
  )
}

function seconds(ms: number | null): string {
  return ms === null ? '–' : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`
}
