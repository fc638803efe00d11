/** Calls of statements for operators and the status page, for calls.ts. */
import type { Db, Tx } from '../../src/store/database.ts'
import { listStoredTexts } from '../../src/store/account-usage.ts'
import { listFailingWebhooks } from '../../src/store/webhooks.ts'
import * as canary from '../../src/store/canary.ts'
import * as incidents from '../../src/store/incidents.ts'
import * as mails from '../../src/store/operator-mails.ts'
import * as acts from '../../src/store/operators.ts'
import * as operators from '../../src/store/operators.ts'
import { findRoom, listRouteStates } from '../../src/store/platform-state.ts'
import * as days from '../../src/store/service-days.ts'
import { listDeliveryHours } from '../../src/store/webhook-log.ts'
import * as timelines from '../../src/store/timelines.ts'
import * as sizes from '../../src/store/observations.ts'

const [accountId, sessionId, limit] = ['account', 'session', 10]
const known = { systemId: '1', timeline: 2 }
const told = { ...known, accountId, number: '1', hash: 'a', reference: 'grant:1', books: '1' }

export const OPERATOR_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ db }) =>
    timelines.recordTimeline(db, known, {
      beganAt: '0/1',
      told: { entries: [told], position: '0/2' },
    }),
  ({ db }) => timelines.readEpoch(db),
  ({ db }) => timelines.listGaps(db, limit),
  ({ tx }) => timelines.acceptGaps(tx, { actor: 'a', reason: 'b' }),
  ({ db }) => acts.listActs(db, { accountId, limit }),
  ({ db }) => acts.listAllActs(db, { before: 1n, limit }),
  ({ db }) => acts.findLatestCheck(db, 'verify_ledger'),
  ({ tx }) => operators.insertOperator(tx, accountId),
  ({ tx }) =>
    operators.insertAct(tx, {
      act: 'run_doctor',
      accountId,
      jobId: null,
      actor: 'a',
      reason: null,
    }),
  ({ tx }) => operators.deleteOperator(tx, accountId),
  ({ db }) => operators.findOperator(db, accountId),
  ({ db }) => operators.listOperators(db),
  ({ db }) => mails.listOperatorAddresses(db),
  ({ tx }) => mails.markOperatorsTold(tx, { cause: 'a', day: '2026-11-22' }),
  ({ db }) => canary.claimCanary(db, { everySeconds: 60, leaseSeconds: 60 }),
  ({ db }) => canary.releaseCanary(db, 1n),
  ({ tx }) => canary.endCanary(tx, { run: 1n, verdict: 'healthy', failing: [], detail: null }),
  ({ db }) => canary.readCanary(db),
  ({ tx }) => operators.setFactor(tx, { accountId, secret: 'sealed' }),
  ({ tx }) => operators.clearFactor(tx, { accountId, since: new Date(0) }),
  ({ tx }) => operators.takeStep(tx, { accountId, secret: 'sealed', step: 1 }),
  ({ tx }) => operators.keepProof(tx, { sessionId, accountId }),
  ({ db }) => operators.hasProof(db, { sessionId, accountId, seconds: 60 }),
  ({ db }) => listFailingWebhooks(db, limit),
  ({ db }) => listRouteStates(db),
  ({ db }) => findRoom(db),
  ({ db }) => incidents.reportIncidents(db, { kinds: ['slow_queue'], quietSeconds: 60 }),
  ({ tx }) => incidents.endIncident(tx, 'commits_lost'),
  ({ db }) => incidents.openIncidents(db, ['commits_lost']),
  ({ tx }) => incidents.insertPause(tx, 600),
  ({ db }) => incidents.listIncidents(db, { days: 90, limit }),
  ({ tx }) => days.lockDays(tx),
  ({ tx }) => days.readSilence(tx),
  ({ tx }) => days.recordDays(tx, 2),
  ({ db }) => days.listDays(db, 90),
  ({ db }) => days.listLastDays(db, 30),
  ({ db }) => days.listHours(db),
  ({ db }) => listDeliveryHours(db),
  ({ db }) => sizes.readDatabaseBytes(db),
  ({ db }) => sizes.observeServer(db),
  ({ db }) => sizes.listTableSizes(db, limit),
  ({ db }) => sizes.listStoredBytes(db, 30),
  ({ db }) => listStoredTexts(db, { sinceDays: null, limit }),
]
