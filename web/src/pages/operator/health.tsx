/** The service's health: the queue, the last day's videos, the ways to the platform, and incidents. */
import { useQuery } from '@tanstack/react-query'
import type { OperatorHealth } from '../../api/account.ts'
import { healthQuery } from '../../api/operator.ts'
import { INCIDENT_WORDS } from '../../api/status.ts'
import { count, when } from '../../format.ts'
import { Notice, Section } from '../../parts/controls.tsx'
import { OutcomeBars } from '../../parts/outcome-bars.tsx'
import { percent, ShareBars } from '../../parts/share-bars.tsx'
import { Waiting } from '../../parts/states.tsx'
import { ConsoleTable } from './table.tsx'

const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

export function HealthPart() {
  const query = useQuery(healthQuery)
  const { data: health } = query
  if (health === undefined) return <Waiting query={query} lines={4} label="Loading the health" />
  return (
    <div className="space-y-10">
      <Figures health={health} />
      <Section title="Videos of the last 24 hours">
        <OutcomeBars
          name="Videos of the last 24 hours"
          bars={health.hours.map(({ at, ...outcomes }) => ({
            ...outcomes,
            label: HOUR.format(new Date(at)),
          }))}
        />
      </Section>
      <Drift health={health} />
      <Routes health={health} />
      <Section title="Client profiles" about="In the order in which they are tried.">
        <ConsoleTable
          name="Client profiles"
          columns={['Client', 'Version', 'For', 'State']}
          rows={health.clients.map(({ name, version, use, retiredAt }) => ({
            key: `${name} ${version} ${use}`,
            cells: [
              name,
              version,
              use.replaceAll('_', ' '),
              retiredAt === null ? 'in use' : `retired since ${when(retiredAt)}`,
            ],
          }))}
        />
      </Section>
      <Section
        title="Answers of the last 24 hours"
        about="What the platform answered; workers report every ten minutes. A client or route whose answers change stands out."
      >
        <ConsoleTable
          name="Answers of the last 24 hours"
          columns={['Part', 'Answer', 'How often', 'Share', 'Share by hour']}
          rows={sharesOf(health)}
          none="None recorded yet."
        />
      </Section>
    </div>
  )
}

function Figures({ health }: { health: OperatorHealth }) {
  const { deliveries } = health
  const stateOf = (state: string) => health.jobs.find((one) => one.state === state)?.count ?? 0
  const figures = [
    ['Jobs running', count(stateOf('running') + stateOf('cancelling'))],
    ['Jobs waiting', count(stateOf('queued'))],
    ['Oldest waits', `${count(Math.round(health.oldestQueuedSeconds))} s`],
    ['Deliveries waiting', count(deliveries.pending)],
    ['Webhooks failing', count(deliveries.failingWebhooks)],
    ['Accounts suspended', count(health.suspendedAccounts)],
  ]
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
      {figures.map(([name, figure]) => (
        <div key={name} className="rounded-xl border border-line bg-surface px-4 py-3">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="numbers text-2xl">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

function Canary({ canary }: { canary: OperatorHealth['canary'] }) {
  if (canary === null) return null
  const { verdict, since, checkedAt, failing, detail } = canary
  const word = verdict === 'not_asked' ? 'not asked' : verdict
  const checked = `Canary: ${word} since ${when(since)}, checked ${when(checkedAt)}.`
  if (verdict === 'healthy') return <p className="text-muted">{checked}</p>
  const names = failing.map(({ name }) => name).join(', ')
  const cases = names === '' ? '' : ` Failing: ${names}.`
  return <Notice tone="warn">{`${checked}${cases}${detail === null ? '' : ` ${detail}`}`}</Notice>
}

function Drift({ health: { canary, drifts, incidents } }: { health: OperatorHealth }) {
  return (
    <Section title="Incidents and drift">
      <div className="space-y-4">
        {drifts === null && (
          <p className="text-muted">
            This process runs no worker; workers report drift at /readyz?verbose.
          </p>
        )}
        {drifts?.map((line) => (
          <Notice key={line} tone="warn">
            {line}
          </Notice>
        ))}
        {drifts?.length === 0 && <p className="text-muted">The platform answers as usual.</p>}
        <Canary canary={canary} />
        <ConsoleTable
          name="Incidents"
          columns={['Incident', 'From', 'To']}
          rows={incidents.map(({ kind, beganAt, endedAt }) => ({
            key: `${kind} ${beganAt}`,
            cells: [INCIDENT_WORDS[kind], when(beganAt), endedAt === null ? 'now' : when(endedAt)],
          }))}
          none="No incident in the last 90 days."
        />
      </div>
    </Section>
  )
}

function stateOfRoute({ restsUntil, roomAt }: OperatorHealth['routes'][number]): string {
  if (restsUntil !== null) return `rests until ${when(restsUntil)}`
  return roomAt === null ? 'in use' : `no captions until ${when(roomAt)}`
}

function Routes({ health: { routes } }: { health: OperatorHealth }) {
  return (
    <Section title="Egress routes" about="Every route that any process has ever used.">
      <ConsoleTable
        name="Egress routes"
        columns={[
          'Route',
          'State',
          'Requests a minute',
          'Blocks in a row',
          'Captions in a day',
          'Last delivery',
        ]}
        rows={routes.map((route) => ({
          key: route.name,
          cells: [
            route.name,
            stateOfRoute(route),
            count(Math.round(route.ratePerMinute)),
            count(route.blocks),
            route.captionsPerDay === null
              ? count(route.captionsCame)
              : `${count(route.captionsCame)} of ${count(route.captionsPerDay)}`,
            route.deliveredAt === null ? 'never' : when(route.deliveredAt),
          ],
        }))}
        none="None used yet."
      />
    </Section>
  )
}

/** A verdict without a name counts all answers of its part. */
function sharesOf({ verdicts, hours }: OperatorHealth) {
  const labels = hours.map(({ at }) => HOUR.format(new Date(at)))
  const whole = new Map(
    verdicts.filter(({ verdict }) => verdict === '').map((all) => [all.part, all]),
  )
  return verdicts
    .filter(({ verdict }) => verdict !== '')
    .map(({ part, verdict, answers, hours: counts }) => {
      const all = whole.get(part)
      const answer = verdict.replaceAll('_', ' ')
      const shares = counts.map((hits, at) => ({
        label: labels[at] ?? '',
        share: shareOf(hits, all?.hours[at] ?? hits),
      }))
      return {
        key: `${part} ${verdict}`,
        cells: [
          part,
          answer,
          count(answers),
          percent(shareOf(answers, all?.answers ?? answers) ?? 0),
          <ShareBars key="hours" name={`${answer}, ${part},`} hours={shares} />,
        ],
      }
    })
}

/** Returns null where there is nothing. */
function shareOf(hits: number, all: number): number | null {
  return all === 0 ? null : hits / all
}
