/** `admin health|deliveries|storage|settings`: what the console shows of the whole service. */
import { counted } from '../kit/text/counted.ts'
import { sentenceOfGap } from '../features/operator/failovers.ts'
import {
  type HourlyCount,
  readHealth,
  type ServiceHealth,
  tellDays,
} from '../features/operator/service.ts'
import { readFailingWebhooks, readStorage, type Storage } from '../features/operator/storage.ts'
import {
  measureStore,
  type Packed,
  packTexts,
  vacuumTexts,
} from '../features/transcripts/pack-texts.ts'
import { type Config, SETTINGS } from '../config/config.ts'
import { ObjectStoreError } from '../kit/object-store.ts'
import { ConfigError, type Setting } from '../kit/settings.ts'
import { canaryLine } from '../model/operator/canary.ts'
import type { Command } from './command.ts'

const healthCommand: Command = {
  usage: 'health [--json]',
  about:
    'shows what waits, how the last day’s videos ended, how the egress routes stand, what the platform answered, and incidents',
  async run({ db, servers }) {
    const value = presentHealth(await readHealth(db), await servers.refused())
    const lines = [
      ...value.jobs.map(({ state, count }) => `${counted(count, 'job')} ${state}`),
      `the oldest queued job has waited ${Math.round(value.oldestQueuedSeconds)} s`,
      `${value.deliveries.pending} webhook deliveries are waiting, the oldest for ${Math.round(value.deliveries.oldestDueSeconds)} s`,
      outcomesLine(value.hours),
      ...value.routes.map(
        ({ name, ratePerMinute, restsUntil }) =>
          `route ${name}: ${restsUntil === null ? `${Math.round(ratePerMinute)} a minute` : `rests until ${restsUntil.toISOString()}`}`,
      ),
      ...tellDays(value.routes),
      ...(value.canary === null ? [] : [canaryLine(value.canary)]),
      ...verdictLines(value.verdicts),
      ...value.lost,
      ...value.incidents.map(
        ({ kind, beganAt, endedAt }) =>
          `${kind} from ${beganAt.toISOString()} to ${endedAt?.toISOString() ?? 'now'}`,
      ),
    ]
    return { value, lines }
  },
}

/** Returns a line with what came of the videos of the last 24 hours, in all. */
function outcomesLine(hours: ServiceHealth['hours']): string {
  const sum = (name: 'delivered' | 'answered' | 'blocked' | 'failed'): number =>
    hours.reduce((all, hour) => all + hour[name], 0)
  return (
    `videos of the last 24 hours: ${sum('delivered')} delivered, ${sum('answered')} without captions, private or gone, ` +
    `${sum('blocked')} blocked, ${sum('failed')} failed`
  )
}

/**
 * Returns lines with what the platform answered in the last 24 hours; a verdict without a name counts all answers of
 * its part.
 */
function verdictLines(verdicts: HourlyCount[]): string[] {
  const whole = new Map(
    verdicts.filter(({ verdict }) => verdict === '').map((all) => [all.part, all]),
  )
  return verdicts
    .filter(({ verdict }) => verdict !== '')
    .map(({ part, verdict, answers, hours }) => {
      const all = whole.get(part)
      const most = Math.max(...hours.map((hits, at) => hits / Math.max(1, all?.hours[at] ?? hits)))
      const share = answers / Math.max(1, all?.answers ?? answers)
      return `${part}: ${verdict} ${percent(share)} of the last 24 hours, ${percent(most)} in its highest hour`
    })
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

const deliveriesCommand: Command = {
  usage: 'deliveries [--json]',
  about: 'lists the webhooks of all accounts whose deliveries fail, and what they answered last',
  async run({ db }) {
    const webhooks = await readFailingWebhooks(db)
    const lines = webhooks.map(
      ({ webhookId, email, url, failingSince, pending, error, status }) =>
        `${webhookId}  ${email}  ${url ?? 'mail'}  since ${failingSince?.toISOString() ?? 'never'}  ${pending} wait  ${error ?? status ?? ''}`,
    )
    return { value: { webhooks }, lines: lines.length > 0 ? lines : ['none is failing'] }
  },
}

const storageCommand: Command = {
  usage: 'storage [--json]',
  about:
    'shows the size of the database and its largest tables, what each day added, and backups that are too old or hold deleted accounts',
  async run({ db, config, textStore }) {
    const kept = textStore === null ? null : await measureStore(db, textStore).catch(asTrouble)
    const value = { ...(await readStorage(db, config)), textStore: kept }
    return { value, lines: [...textStoreLines(kept), ...storageLines(value)] }
  },
}

type StoreSizes = Awaited<ReturnType<typeof measureStore>> | { trouble: string }

/** The sizes of the database are told while the store of texts is away. */
function asTrouble(error: unknown): StoreSizes {
  if (error instanceof ObjectStoreError) return { trouble: error.message }
  throw error
}

function textStoreLines(kept: StoreSizes | null): string[] {
  if (kept === null) return []
  if ('trouble' in kept) return [`TEXT_STORE is away: ${kept.trouble}`]
  return [`TEXT_STORE has ${counted(kept.objects, 'object')} of ${counted(kept.bytes, 'byte')}`]
}

const packCommand: Command = {
  usage: 'storage pack [--vacuum-full] [--json]',
  about:
    'moves texts older than TEXT_STORE_AFTER to TEXT_STORE at once, and gives their room back: that at the end of the table, or all of it with --vacuum-full, which keeps everybody from the texts meanwhile',
  async run({ db, pool, textStore, config }, input) {
    if (textStore === null) throw new ConfigError('set TEXT_STORE: no object store is named')
    const line = ({ texts, bytes, removed }: Packed): string =>
      `${counted(texts, 'text')} of ${counted(bytes, 'byte')} moved, ${counted(removed, 'pack')} removed`
    const onProgress = (packed: Packed): void => void process.stderr.write(`${line(packed)}\n`)
    const ctx = { db, pool, textStore, minSeconds: config.TEXT_STORE_AFTER }
    const packed = await packTexts({ ...ctx, isAll: true, onProgress })
    const { before, after } = await vacuumTexts(pool, input.has('vacuum-full'))
    const value = { ...packed, tableBytesBefore: before, tableBytes: after }
    const lines = [
      line(packed),
      `transcript_body took ${before} bytes and takes ${after}; new texts fill what it has free`,
    ]
    return { value, lines }
  },
}

/** Returns what the database and its backups hold, as lines. */
export function storageLines(storage: Storage): string[] {
  const { databaseBytes, tables, accounts, growth, backups } = storage
  return [
    `the database takes ${databaseBytes} bytes; the largest tables, each with indexes and long values (toast):`,
    ...tables.map(
      ({ name, bytes, indexBytes, toastBytes, rows }) =>
        `  ${name}: ${bytes} bytes (indexes ${indexBytes}, toast ${toastBytes}), about ${rows} rows`,
    ),
    'texts by account, as counted when they were stored (rows and indexes are no account’s):',
    ...orNone(accounts.map(({ email, textBytes }) => `  ${email}: about ${textBytes} bytes`)),
    'transcripts that each day added:',
    ...orNone(
      growth
        .filter(({ storedBytes }) => storedBytes > 0)
        .map(({ day, storedBytes }) => `  ${day}: ${storedBytes} bytes`),
    ),
    ...backupLines(backups),
  ]
}

function orNone(lines: string[]): string[] {
  return lines.length > 0 ? lines : ['  none']
}

function backupLines({ folder, problem, files }: Storage['backups']): string[] {
  if (problem !== null) return [problem]
  if (folder === null) return ['set BACKUP_DIR to list backups that still hold deleted accounts']
  if (files.length === 0) return [`no backup is in ${folder}`]
  const lines = files.map(({ file, createdAt, removeBy, isDue, deletedAccounts }) => {
    const held =
      deletedAccounts === 0 ? '' : `, still holds ${counted(deletedAccounts, 'deleted account')}`
    const due = isDue ? 'too old, remove it now' : `remove it by ${removeBy.toISOString()}`
    return `  ${file} of ${createdAt.toISOString()}${held}: ${due}`
  })
  return [`backups in ${folder}:`, ...lines]
}

const settingsCommand: Command = {
  usage: 'settings [--json]',
  about: 'shows the settings in force; of secrets only whether they are set',
  async run({ config }) {
    const settings = presentSettings(config)
    const lines = settings.map(
      ({ name, value, isSecret, isSet }) =>
        `${name}: ${isSecret ? (isSet ? 'set, hidden' : 'not set') : (value ?? 'none')}`,
    )
    return { value: { settings }, lines }
  },
}

/** Presents every setting with its value as text; the value of a secret is never there. */
export function presentSettings(config: Config) {
  return Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const { isSecret = false, about } = setting
    const value: unknown = config[name as keyof Config]
    const isSet = value !== null
    return { name, about, isSecret, isSet, value: isSecret || !isSet ? null : textOf(value) }
  })
}

/** A name and password in an address that is no secret; it needs none, but some operators write them there. */
const USER_IN_ADDRESS = /\/\/[^/@]*@/

function textOf(value: unknown): string {
  const text = value instanceof Set ? [...value].join(',') : String(value)
  return text.replace(USER_IN_ADDRESS, '//…@')
}

/** Presents the service's health as JSON; `refused` says which database hosts are not used, and why. */
export function presentHealth(
  { observed, gaps, ...health }: ServiceHealth,
  refused: readonly string[],
) {
  const { jobs, deliveries, subscriptions, canary } = observed
  return {
    jobs: jobs.states,
    oldestQueuedSeconds: jobs.oldestQueuedSeconds,
    suspendedAccounts: jobs.suspendedAccounts,
    deliveries,
    looksDueSeconds: subscriptions.oldestDueSeconds,
    canary,
    lost: [...refused, ...gaps.map(sentenceOfGap)],
    ...health,
  }
}

export const SERVICE_COMMANDS = [
  healthCommand,
  deliveriesCommand,
  packCommand, // before the command whose name its own begins with
  storageCommand,
  settingsCommand,
]
