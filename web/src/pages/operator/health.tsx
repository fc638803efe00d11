/** The service's health: the queue, the last day's videos, the ways to the platform, and incidents. */
import { useQuery } from '@tanstack/react-query'
import type { OperatorHealth } from '../../api/account.ts'
import { healthQuery } from '../../api/operator.ts'
import { INCIDENT_WORDS } from '../../api/status.ts'
import { count, hourOf, recently, when } from '../../format.ts'
import { Bars, OUTCOMES, TallyBars } from '../../parts/bars.tsx'
import { Notice, Section } from '../../parts/controls.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Waiting } from '../../parts/states.tsx'
import { Figures } from './detail.tsx'

export function HealthPart() {
  const query = useQuery(healthQuery)
  const { data: health } = query
  if (health === undefined) return <Waiting query={query} lines={4} label="Loading the health" />
  return (
    <div className="space-y-10">
      <Figures figures={figuresOf(health)} />
      <Section title="Videos of the last 24 hours">
        <TallyBars
          name="Videos of the last 24 hours"
          kinds={OUTCOMES}
          bars={health.hours.map(({ at, ...outcomes }) => ({ ...outcomes, label: hourOf(at) }))}
        />
      </Section>
      <Drift health={health} />
      <Routes health={health} />
      <Section title="Client profiles" about="In the order in which they are tried.">
        <DataTable
          name="Client profiles"
          rows={health.clients}
          keyOf={({ name, version, use }) => `${name} ${version} ${use}`}
          columns={() => ({
            Client: ({ name }) => name,
            Version: ({ version }) => version,
            For: ({ use }) => use.replaceAll('_', ' '),
            State: ({ retiredAt }) =>
              retiredAt === null ? 'in use' : `retired since ${when(retiredAt)}`,
          })}
        />
      </Section>
      <Section
        title="Answers of the last 24 hours"
        about="What the platform answered; workers report every ten minutes. A client or route whose answers change stands out."
      >
        <DataTable
          name="Answers of the last 24 hours"
          rows={sharesOf(health)}
          keyOf={({ part, answer }) => `${part} ${answer}`}
          columns={({ figure }) => ({
            Part: ({ part }) => part,
            Answer: ({ answer }) => answer,
            'How often': figure(({ answers }) => count(answers)),
            Share: figure(({ share }) => percent(share)),
            'Share by hour': ({ part, answer, shares }) => (
              <ShareBars name={`${answer}, ${part}, by hour`} hours={shares} />
            ),
          })}
          none="None recorded yet."
        />
      </Section>
    </div>
  )
}

function figuresOf(health: OperatorHealth) {
  const { deliveries } = health
  const stateOf = (state: string) => health.jobs.find((one) => one.state === state)?.count ?? 0
  return [
    ['Jobs running', count(stateOf('running') + stateOf('cancelling'))],
    ['Jobs waiting', count(stateOf('queued'))],
    ['Oldest waits', `${count(Math.round(health.oldestQueuedSeconds))} s`],
    ['Deliveries waiting', count(deliveries.pending)],
    ['Webhooks failing', count(deliveries.failingWebhooks)],
    ['Accounts suspended', count(health.suspendedAccounts)],
  ] as const
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

function Drift({ health: { canary, drifts, lost, incidents } }: { health: OperatorHealth }) {
  return (
    <Section title="Incidents and drift">
      <div className="space-y-4">
        {lost.map((line) => (
          <Notice key={line} tone="warn">
            {line}
          </Notice>
        ))}
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
        <DataTable
          name="Incidents"
          rows={incidents}
          keyOf={({ kind, beganAt }) => `${kind} ${beganAt}`}
          columns={() => ({
            Incident: ({ kind }) => INCIDENT_WORDS[kind],
            From: ({ beganAt }) => when(beganAt),
            To: ({ endedAt }) => (endedAt === null ? 'now' : when(endedAt)),
          })}
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
      <DataTable
        name="Egress routes"
        rows={routes}
        keyOf={({ name }) => name}
        columns={({ figure }) => ({
          Route: ({ name }) => name,
          State: stateOfRoute,
          'Requests a minute': figure(({ ratePerMinute }) => count(Math.round(ratePerMinute))),
          'Blocks in a row': figure(({ blocks }) => count(blocks)),
          'Captions in a day': figure(({ captionsCame, captionsPerDay }) =>
            captionsPerDay === null
              ? count(captionsCame)
              : `${count(captionsCame)} of ${count(captionsPerDay)}`,
          ),
          'Last delivery': ({ deliveredAt }) =>
            deliveredAt === null ? 'never' : recently(deliveredAt),
        })}
        none="None used yet."
      />
    </Section>
  )
}

/** A verdict without a name counts all answers of its part. */
function sharesOf({ verdicts, hours }: OperatorHealth) {
  const labels = hours.map(({ at }) => hourOf(at))
  const whole = new Map(
    verdicts.filter(({ verdict }) => verdict === '').map((all) => [all.part, all]),
  )
  return verdicts
    .filter(({ verdict }) => verdict !== '')
    .map(({ part, verdict, answers, hours: counts }) => {
      const all = whole.get(part)
      const shares = counts.map((hits, at) => ({
        label: labels[at] ?? '',
        share: shareOf(hits, all?.hours[at] ?? hits),
      }))
      const share = shareOf(answers, all?.answers ?? answers) ?? 0
      return { part, answer: verdict.replaceAll('_', ' '), answers, share, shares }
    })
}

/** Returns null where there is nothing. */
function shareOf(hits: number, all: number): number | null {
  return all === 0 ? null : hits / all
}

type HourShare = { label: string; share: number | null }

/** Shows each hour's part of the highest share, so that rare answers are seen too, beside that share. */
function ShareBars({ name, hours }: { name: string; hours: readonly HourShare[] }) {
  const said = hours.flatMap(({ label, share }) =>
    share === null ? [] : [`${label} ${percent(share)}`],
  )
  return (
    <span className="flex items-center gap-3">
      <Bars
        name={name}
        said={said.join(', ')}
        isSmall
        bars={hours.map(({ label, share }) => ({
          key: label,
          label,
          words: share === null ? 'no answers' : percent(share),
          parts: [{ look: 'bg-accent', size: share ?? 0 }],
        }))}
      />
      <span className="text-sm whitespace-nowrap text-muted">
        at most {percent(Math.max(0, ...hours.map(({ share }) => share ?? 0)))}
      </span>
    </span>
  )
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
