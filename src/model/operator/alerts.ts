/**
 * The list of alerts. `docs/operating/alerts.yaml` is printed from it for Prometheus; workers mail those that need no
 * history to the operators.
 */
import { type Alert, isGaugeAlert } from './alert.ts'
import { ALERTS_OF_STORES } from './store-alerts.ts'

const ALERTS_OF_SERVICE: readonly Alert[] = [
  {
    name: 'ScriptoriumLedgerDiffers',
    when: [{ gauge: 'scriptorium_ledger_difference_micros', isAbsolute: true, is: '>', than: 0 }],
    severity: 'page',
    summary: 'Balances and ledger entries differ',
    action:
      'Run `admin ledger verify`; it names the account. Accept no payments until the difference is explained.',
  },
  {
    name: 'ScriptoriumCommitsLost',
    when: [{ gauge: 'scriptorium_failovers_lossy', is: '>', than: 0 }],
    severity: 'page',
    summary: 'A failover of the database lost what customers were told',
    action:
      '`admin ledger verify` names it; make it good, then `admin failover accept --reason R`.',
  },
  {
    name: 'ScriptoriumPaymentRefused',
    when: [{ gauge: 'scriptorium_payment_events_refused', is: '>', than: 0 }],
    severity: 'ticket',
    summary: 'Money that was paid within the last day could not be placed',
    action:
      '`admin payment claims` names each event and why, such as a payment for an account that was deleted meanwhile; pay the money back at the payment service.',
  },
  {
    name: 'ScriptoriumProcessGone',
    expr: 'up{job="scriptorium"} == 0',
    forMinutes: 2,
    severity: 'page',
    summary: '{{ $labels.instance }} does not answer its scrapes',
    action:
      'Look at its log and at /readyz. Other workers, where some run, take the jobs of a lost worker back after ten silent seconds.',
  },
  {
    name: 'ScriptoriumNotReady',
    remark:
      'Prometheus alone tells it: a process that cannot write to its database can post no mail.',
    expr: 'min by (instance) (scriptorium_ready{job="scriptorium"}) == 0',
    forMinutes: 1,
    severity: 'page',
    summary:
      '{{ $labels.instance }} cannot serve; most often its database is away, read-only or out of room',
    action:
      'Its /readyz says what is missing. Requests are answered 503 and jobs wait until it is back. A promoted standby that did not have to confirm commits lacks the last ones.',
  },
  {
    name: 'ScriptoriumQueueStands',
    when: [{ gauge: 'scriptorium_queue_age_seconds', is: '>', than: 60 }],
    forMinutes: 2,
    severity: 'page',
    summary: 'A job has waited for a worker for over a minute',
    action:
      'Check that workers are running and have free slots (WORKER_JOBS), or start another worker.',
  },
]

const ALERTS_OF_PLATFORM: readonly Alert[] = [
  {
    name: 'ScriptoriumAllRoutesRest',
    remark:
      'Looks at the last minute, because a route may be used for a moment between two blocks.',
    when: [
      {
        gauge: 'scriptorium_egress_routes_resting',
        isOverMinute: true,
        is: '>=',
        than: { gauge: 'scriptorium_egress_routes' },
      },
      { gauge: 'scriptorium_egress_routes', is: '>', than: 0 },
    ],
    forMinutes: 2,
    severity: 'page',
    summary: 'The platform blocks every egress route',
    action:
      '`admin doctor` says which client or route. Add routes to EGRESS_ROUTES, or wait: a rest ends by itself.',
  },
  {
    name: 'ScriptoriumPlatformRefuses',
    expr: `sum(increase(scriptorium_platform_obstacles_total[3m]))
  / sum(increase(scriptorium_platform_request_seconds_count[3m])) > 0.2`,
    forMinutes: 1,
    severity: 'ticket',
    summary: 'More than a fifth of the platform’s answers are not what was requested',
    action:
      '`/readyz?verbose` says what changed, and since when; `admin doctor` tells clients from routes. A retired client is replaced by PLATFORM_CLIENTS.',
  },
  {
    name: 'ScriptoriumPlatformDrifts',
    when: [
      {
        gauge: 'scriptorium_platform_drift',
        per: ['question', 'client', 'route', 'verdict'],
        is: '>',
        than: 0,
      },
    ],
    forMinutes: 1,
    severity: 'ticket',
    summary: 'The platform changed: {{ $labels.verdict }} {{ $labels.client }} {{ $labels.route }}',
    mailed: 'The platform changed',
    action:
      '`/readyz?verbose` of the workers says what, since when and who is asked instead; `admin doctor` tries every client and route.',
  },
  {
    name: 'ScriptoriumCanaryFails',
    remark: 'Needs CANARY_HOURS. The canary mails each change of its verdict by itself.',
    expr: 'max(scriptorium_canary_failing_cases) > 0',
    severity: 'ticket',
    summary: 'The platform no longer gives the canary what it should',
    action: '`admin health` names the cases; `admin doctor` tries every client and route.',
  },
  {
    name: 'ScriptoriumFieldMasksOff',
    when: [{ gauge: 'scriptorium_platform_field_masks_off', is: '==', than: 1 }],
    forMinutes: 1,
    severity: 'ticket',
    summary: 'The platform refuses field masks, or keeps captions or dates back behind them',
    action:
      'Nothing is lost, but replies are five times as large. `admin doctor` says as which client; set PLATFORM_FIELD_MASKS=false.',
  },
  {
    name: 'ScriptoriumBlockedVideos',
    expr: `sum(rate(scriptorium_rows_total{status="blocked_suspect"}[30m]))
  / sum(rate(scriptorium_rows_total{status=~"success|blocked_suspect"}[30m])) > 0.05`,
    forMinutes: 30,
    severity: 'ticket',
    summary: 'More than one video in twenty ends as blocked_suspect',
    action:
      'Add routes or replace some. Customers pay nothing for these videos; sending the same URLs again tries them first.',
  },
]

const ALERTS_OF_WORK: readonly Alert[] = [
  {
    name: 'ScriptoriumJobsEndBadly',
    expr: 'sum(increase(scriptorium_jobs_ended_total{state=~"failed|interrupted"}[30m])) > 0',
    severity: 'ticket',
    summary: 'A job failed because of an internal error, or was interrupted',
    action: 'Search the log for its line `job ended` and for an error with the same jobId.',
  },
  {
    name: 'ScriptoriumOneAccountCostsMost',
    remark: 'Normal if you have few customers: raise the threshold, or leave the rule out.',
    when: [
      {
        gauge: 'scriptorium_top_account_share',
        labels: { of: ['calls', 'cpu'] },
        is: '>',
        than: 0.8,
      },
      { gauge: 'scriptorium_queue_age_seconds', is: '>', than: 30 },
    ],
    forMinutes: 15,
    severity: 'ticket',
    summary: 'One account causes over four fifths of the work while jobs wait',
    action:
      '`admin usage --by calls` names it, `admin job list --account A` shows its jobs; `admin account suspend A --reason R` stops it.',
  },
  {
    name: 'ScriptoriumWebhooksStand',
    when: [{ gauge: 'scriptorium_webhook_due_age_seconds', is: '>', than: 120 }],
    forMinutes: 5,
    severity: 'ticket',
    summary: 'Deliveries to webhooks are overdue though their receivers have room',
    action:
      'Workers send them; see that some run and what their log says. Nothing is lost, receivers are told late.',
  },
  {
    name: 'ScriptoriumLooksLate',
    when: [{ gauge: 'scriptorium_look_due_age_seconds', is: '>', than: 3600 }],
    forMinutes: 15,
    severity: 'ticket',
    summary: 'Looks at followed channels are more than an hour late',
    action:
      'Workers make them; see that some run, and whether egress routes rest. Nothing is lost, new videos come later.',
  },
]

const ALERTS_OF_ANSWERS: readonly Alert[] = [
  {
    name: 'ScriptoriumErrors',
    expr: 'sum(rate(scriptorium_http_request_seconds_count{status="500"}[5m])) > 0',
    forMinutes: 5,
    severity: 'ticket',
    summary: 'Requests are answered 500, with an internal error',
    action:
      'Search the log for `a request failed with an internal error`; the answer contains the request id, too.',
  },
  {
    name: 'ScriptoriumBusy',
    expr: `sum(rate(scriptorium_http_request_seconds_count{status="503",route!="/readyz"}[5m]))
  / sum(rate(scriptorium_http_request_seconds_count{route!="/readyz"}[5m])) > 0.05`,
    forMinutes: 10,
    severity: 'ticket',
    summary:
      'More than one request in twenty is answered 503: the service is busy, or its database away',
    action:
      'Raise MAX_ACTIVE_JOBS or add workers; if /readyz names the database, look there first.',
  },
  {
    name: 'ScriptoriumSlow',
    expr: `histogram_quantile(0.99, sum by (le) (
  rate(scriptorium_http_request_seconds_bucket{route=~"/api/v1/.*",route!~".*/files/.*"}[10m]))) > 2.5`,
    forMinutes: 15,
    severity: 'ticket',
    summary: 'One request in a hundred takes longer than 2.5 seconds',
    action: 'Look at the database first. Requests that wait on purpose (?wait=N) count, too.',
  },
  {
    name: 'ScriptoriumEventLoopLags',
    when: [{ gauge: 'nodejs_eventloop_lag_p99_seconds', per: 'process', is: '>', than: 0.5 }],
    forMinutes: 10,
    severity: 'ticket',
    summary: '{{ $labels.instance }} is overloaded',
    mailed: 'A worker process is overloaded',
    action: 'Start another process with the same role, or lower WORKER_VIDEOS.',
  },
]

export const ALERTS: readonly Alert[] = [
  ...ALERTS_OF_SERVICE,
  ...ALERTS_OF_STORES,
  ...ALERTS_OF_PLATFORM,
  ...ALERTS_OF_WORK,
  ...ALERTS_OF_ANSWERS,
]

/** The alerts that workers mail. */
export const MAILED_ALERTS = ALERTS.filter(isGaugeAlert)
