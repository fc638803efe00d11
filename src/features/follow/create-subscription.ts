/** Makes a subscription: nothing is bought or reserved by that, and a worker looks at its list at once. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { signal } from '../../store/signals.ts'
import { readDateBounds } from '../../model/jobs/date-bounds.ts'
import { readJobRequest } from '../../model/jobs/job-request.ts'
import { parseUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { readSource } from '../../model/platform/source.ts'
import { Problem } from '../../kit/problem.ts'
import { lockAccount } from '../../store/accounts.ts'
import {
  countSubscriptions,
  findFollowed,
  insertSubscription,
  type SubscriptionRow,
} from '../../store/subscriptions.ts'
import type { Format } from '../../model/transcripts/formats.ts'

/** The body as its schema admits it. */
export type SubscriptionInput = {
  url: string
  monthlyCap: string
  language?: string
  formats?: Format[]
  backlog?: number
  everyHours?: number
  publishedAfter?: string
}

/** Throws a Problem that names the field, or that the account follows it already or follows too many. */
export function createSubscription(
  db: Db,
  { accountId, input, max }: { accountId: string; input: SubscriptionInput; max: number },
): Promise<SubscriptionRow> {
  const { line, urlSetHash, language, formats } = followedLine(input)
  const made = {
    id: `sub_${randomUUID().replaceAll('-', '')}`,
    accountId,
    line,
    urlSetHash,
    language,
    formats,
    backlog: input.backlog ?? 0,
    publishedAfter: publishedAfterOf(input),
    capMicros: capOf(input.monthlyCap),
    everyHours: input.everyHours ?? null,
  }
  return transact(db, async (tx) => {
    await lockAccount(tx, accountId)
    const known = await findFollowed(tx, { accountId, urlSetHash })
    if (known !== null) refuse('url', `You follow this already, with the subscription ${known}.`)
    if ((await countSubscriptions(tx, accountId)) >= max) {
      throw new Problem('invalid_request', {
        message: `An account can have at most ${max} subscriptions; delete one that is no longer used.`,
      })
    }
    const row = await insertSubscription(tx, made)
    assert(row !== null, 'an inserted subscription is returned')
    await signal(tx, 'scriptorium_look', '')
    return row
  })
}

/** In micros; throws where it is no amount, or below the price of one transcript. */
export function capOf(monthlyCap: string): bigint {
  const micros = parseUsd(monthlyCap)
  if (micros === null)
    refuse('monthlyCap', 'monthlyCap must be a plain amount of USD such as 5 or 0.5.')
  if (micros < PRICE_MICROS)
    refuse('monthlyCap', 'monthlyCap must cover at least one transcript, 0.008 USD.')
  return micros
}

/** Exactly one line that names a list. */
function followedLine({ url, language, formats }: SubscriptionInput) {
  const request = readJobRequest({
    urls: url,
    ...(language === undefined ? {} : { language }),
    ...(formats === undefined ? {} : { formats }),
  })
  const [line = '', ...others] = request.urls
  if (others.length > 0)
    refuse('url', 'url must be a single channel or playlist; follow each by itself.')
  const reading = readSource(line)
  const isList =
    reading.kind === 'source' &&
    (reading.source.kind === 'playlist' ||
      (reading.source.kind === 'channel' && reading.source.tab !== 'live'))
  if (!isList) {
    throw new Problem('invalid_url', {
      field: 'url',
      message: 'Only a channel, its videos, Shorts or streams, or a playlist can be followed.',
    })
  }
  return {
    line,
    urlSetHash: request.urlSetHash,
    language: request.language,
    formats: request.formats,
  }
}

function publishedAfterOf(input: SubscriptionInput): Date | null {
  const publishedAfter = input.publishedAfter ?? null
  const reading = readDateBounds({ publishedAfter, publishedBefore: null })
  if (reading.kind === 'rejected') refuse('publishedAfter', reading.sentence)
  return reading.bounds.afterAt
}

function refuse(field: string, message: string): never {
  throw new Problem('invalid_request', { field, message })
}
