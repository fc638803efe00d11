/** Limits of the operator's console and of the public status page. Each with its unit. */
export const CONSOLE_LIMITS = {
  /** How long a session that showed the second factor may use the console. */
  factorSeconds: 12 * 3_600,
  /** Codes of one period; the one before and the one after are taken, too. */
  codePeriodSeconds: 30,
  consolePage: 25,
  consolePageMax: 200,
  consoleTables: 15,
  consoleAccounts: 15,
  consoleGrowthDays: 30,
  failingWebhooksMax: 100,
  checkDetailChars: 4_000,
  statusDays: 90,
  statusKeptMs: 60_000,
  dayRecordedEveryMs: 60_000,
  /** A job that waits longer is an incident. */
  queueIncidentSeconds: 600,
  /** An incident that nobody saw for so long is over; a service that recorded nothing for so long did not run. */
  incidentQuietSeconds: 300,
} as const
