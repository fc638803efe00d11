/** /account/balance and /account/statement: what the account owns, and how it came about. */
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { ApiContext } from '../api-context.ts'
import { paging } from '../contract.ts'
import { available } from '../../model/money/ledger.ts'
import { formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { readBalance } from '../../features/money/balance.ts'
import { readStatement, streamStatementCsv } from '../../features/money/statement.ts'
import { change, type StatementLine } from '../../model/money/statement.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { BYTES, type Reply, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const balanceSchema = { hide: true, response: { 200: REPLIES.Funds } }

export function moneyRoutes({ db, downloads }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/balance', { schema: balanceSchema }, async (request) => {
      const { availableMicros, heldMicros, affordableTranscripts } = await readBalance(
        db,
        visitorOf(request).accountId,
      )
      return {
        available: formatUsd(availableMicros),
        held: formatUsd(heldMicros),
        pricePerTranscript: formatUsd(PRICE_MICROS),
        affordableTranscripts,
      }
    })

    const schema = {
      hide: true,
      response: { 200: REPLIES.Statement },
      querystring: paging({ limit: 25, limitMax: LIMITS.statementPageMax }),
    }
    app.get('/account/statement', { schema }, async (request) => {
      const { offset = 0, limit = 25 } = request.query
      const page = await readStatement(db, {
        accountId: visitorOf(request).accountId,
        offset,
        limit,
      })
      return { ...page, entries: page.entries.map(presentLine) }
    })

    app.get(
      '/account/statement.csv',
      { schema: { hide: true, response: { 200: BYTES } }, exposeHeadRoute: false },
      async (request, reply) => {
        const { accountId } = visitorOf(request)
        downloads.begin(accountId, reply)
        return reply
          .header('Content-Disposition', 'attachment; filename="statement.csv"')
          .type('text/csv; charset=utf-8')
          .send(Readable.from(streamStatementCsv(db, accountId)))
      },
    )
  }
}

/**
 * Presents an entry. `change` is that of the available balance: none for a charge, whose money was reserved before;
 * `charged` says how much it was. `balance` and `reserved` are as the entry left them.
 */
function presentLine(line: StatementLine): Reply<'StatementEntry'> {
  return {
    number: Number(line.number),
    at: line.createdAt.toISOString(),
    kind: line.kind,
    change: formatUsd(change(line)),
    charged: line.kind === 'charge' ? formatUsd(-line.postedMicros) : null,
    balance: formatUsd(available(line.after)),
    reserved: formatUsd(line.after.heldMicros),
    jobId: line.jobId,
    reason: line.reason,
  }
}
