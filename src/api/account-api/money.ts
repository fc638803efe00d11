/** /account/balance, statement, spending, invoices and top-up: what the account owns, spent and pays. */
import { Readable } from 'node:stream'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import {
  type Movement,
  readBalance,
  readMovements,
  readSpendingPage,
  readStatement,
  readSpendingUsage,
  streamSpendingCsv,
  streamStatementCsv,
} from '../../features/money/balance.ts'
import {
  drawInvoice,
  loadPdfLibrary,
  findCredited,
  readInvoices,
} from '../../features/money/invoices.ts'
import type { BatchName } from '../../features/jobs/job-names.ts'
import { openPayments } from '../../features/money/stripe.ts'
import { LIMITS } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { available, type LedgerEntry } from '../../model/money/ledger.ts'
import { formatUsd, parseUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { type ChargedJob, usageCsv } from '../../model/money/spending.ts'
import { change, senderOf, type StatementLine } from '../../model/money/statement.ts'
import type { ApiContext } from '../api-context.ts'
import { closedObject, pagingOf } from '../contract.ts'
import { separatorQuery } from '../files/schema.ts'
import { answering, BYTES, REPLIES, type Reply } from './replies.ts'
import { refused, visitorOf } from './visitor.ts'

const csv = answering(BYTES)

// /account/balance and /account/statement: what the account owns, and how it came about.

export function moneyRoutes({ db, downloads }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/balance', { schema: answering(REPLIES.Funds) }, async (request) => {
      const { accountId } = visitorOf(request)
      const { availableMicros, heldMicros, ...rest } = await readBalance(db, accountId)
      return {
        ...rest,
        available: formatUsd(availableMicros),
        held: formatUsd(heldMicros),
        pricePerTranscript: formatUsd(PRICE_MICROS),
      }
    })

    const schema = {
      ...answering(REPLIES.Statement),
      querystring: Type.Object(pagingOf({ limit: 25, limitMax: LIMITS.statementPageMax })),
    }
    app.get('/account/statement', { schema }, async (request) => {
      const { offset = 0, limit = 25 } = request.query
      const { accountId } = visitorOf(request)
      const page = await readStatement(db, { accountId, offset, limit })
      return { ...page, entries: page.entries.map(presentLine) }
    })

    const grouped = { ...schema, ...answering(REPLIES.Movements) }
    app.get('/account/movements', { schema: grouped }, async (request) => {
      const { offset = 0, limit = 25 } = request.query
      const { accountId } = visitorOf(request)
      const page = await readMovements(db, { accountId, offset, limit })
      return { ...page, movements: page.movements.map(presentMovement) }
    })

    const asked = { ...csv, querystring: Type.Object(separatorQuery) }
    const options = { schema: asked, exposeHeadRoute: false }
    app.get('/account/statement.csv', options, async (request, reply) => {
      const { accountId } = visitorOf(request)
      downloads.begin(accountId, reply)
      return sendCsv(reply, 'statement', streamStatementCsv(db, accountId, request.query.separator))
    })
  }
}

/**
 * Presents an entry. `change` is that of the available balance: none for a charge, whose money was reserved before;
 * `charged` says how much it was. `balance` and `reserved` are as the entry left them.
 */
function presentLine(line: StatementLine): Reply<'StatementEntry'> {
  return {
    ...presentEntry(line),
    balance: formatUsd(available(line.after)),
    reserved: formatUsd(line.after.heldMicros),
  }
}

function presentEntry(entry: LedgerEntry): Reply<'Movement'>['entries'][number] {
  return {
    number: Number(entry.number),
    at: entry.createdAt,
    kind: entry.kind,
    change: formatUsd(change(entry)),
    charged: entry.kind === 'charge' ? formatUsd(-entry.postedMicros) : null,
    jobId: entry.jobId,
    reason: entry.reason,
  }
}

function presentMovement({
  entries,
  after,
  ...movement
}: Movement): Reply<'Movements'>['movements'][number] {
  const [owned, held] = (['postedMicros', 'heldMicros'] as const).map((of) =>
    formatUsd(entries.reduce((sum, entry) => sum + entry[of], 0n)),
  )
  return {
    ...movement,
    change: owned ?? '',
    held: held ?? '',
    balance: formatUsd(after.postedMicros),
    entries: entries.map(presentEntry),
  }
}

// /account/spending, /account/invoices: what jobs cost, one line each, and the invoices of payments.

const filters = {
  month: Type.Optional(
    Type.String({ pattern: '^20\\d{2}-(0[1-9]|1[0-2])$', examples: ['2026-03'] }),
  ),
  spender: Type.Optional(Type.String({ maxLength: 80 })),
}
const spendingSchema = {
  ...answering(REPLIES.Spending),
  querystring: Type.Object({
    ...filters,
    ...pagingOf({ limit: 25, limitMax: LIMITS.statementPageMax }),
  }),
}
const csvSchema = { ...csv, querystring: Type.Object({ ...filters, ...separatorQuery }) }

export function spendingRoutes({ db, downloads }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/spending', { schema: spendingSchema }, async (request) => {
      const { month = null, spender = null, offset = 0, limit = 25 } = request.query
      const filter = { accountId: visitorOf(request).accountId, month, spender }
      const page = presentCharged(await readSpendingPage(db, filter, { offset, limit }))
      return {
        ...page,
        jobs: page.jobs.map(presentChargedJob),
        days: page.days.map(presentCharged),
        months: page.months.map(presentCharged),
      }
    })

    app.get('/account/usage', { schema: answering(REPLIES.Usage) }, async (request) => {
      const rows = await readSpendingUsage(db, visitorOf(request).accountId)
      return {
        rows: rows.map(({ spenderId, spenderName, ...row }) => ({
          ...presentCharged(row),
          spender: { id: spenderId, name: spenderName },
        })),
      }
    })

    const usageSchema = { ...csv, querystring: Type.Object(separatorQuery) }
    const usageOptions = { schema: usageSchema, exposeHeadRoute: false }
    app.get('/account/usage.csv', usageOptions, async (request, reply) => {
      const { accountId } = visitorOf(request)
      downloads.begin(accountId, reply)
      const rows = await readSpendingUsage(db, accountId)
      return sendCsv(reply, 'usage', [usageCsv(rows, request.query.separator)])
    })

    const options = { schema: csvSchema, exposeHeadRoute: false }
    app.get('/account/spending.csv', options, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { month = null, spender = null, separator } = request.query
      downloads.begin(accountId, reply)
      const name = month === null ? 'spending' : `spending-${month}`
      const pieces = streamSpendingCsv(db, { accountId, month, spender }, separator)
      return sendCsv(reply, name, pieces)
    })
  }
}

function sendCsv(
  reply: FastifyReply,
  name: string,
  pieces: AsyncIterable<string> | string[],
): FastifyReply {
  return reply
    .header('Content-Disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(pieces))
}

const pdfSchema = {
  ...answering(BYTES),
  params: Type.Object({ number: Type.String({ pattern: '^\\w{12}-\\d{4,9}$' }) }),
}

export function invoiceRoutes({ db, config }: ApiContext): FastifyPluginAsyncTypebox {
  const sender = senderOf(config)
  return async (app) => {
    if (sender !== null) await loadPdfLibrary()
    /** Answers null where the operator offers no invoices. */
    app.get('/account/invoices', { schema: answering(REPLIES.Invoices) }, async (request) => {
      if (sender === null) return { invoices: null }
      const invoices = await readInvoices(db, visitorOf(request).accountId)
      return {
        invoices: invoices.map(({ number, paidAt, micros, returnedMicros }) => ({
          number,
          paidAt,
          amount: formatUsd(micros),
          returned: returnedMicros === 0n ? null : formatUsd(returnedMicros),
        })),
      }
    })

    const options = { schema: pdfSchema, exposeHeadRoute: false }
    app.get('/account/invoices/:number.pdf', options, async (request, reply) => {
      const { accountId, email } = visitorOf(request)
      const { number } = request.params
      const invoices = sender === null ? [] : await readInvoices(db, accountId)
      const invoice = invoices.find((one) => one.number === number)
      if (sender === null || invoice === undefined) throw new Problem('not_found')
      const customer = [email, `Account ${accountId}`]
      return reply
        .header('Content-Disposition', `attachment; filename="invoice-${number}.pdf"`)
        .type('application/pdf')
        .send(await drawInvoice({ invoice, sender, customer }))
    })
  }
}

export function presentCharged<T extends { chargedMicros: bigint }>({ chargedMicros, ...rest }: T) {
  return { ...rest, charged: formatUsd(chargedMicros) }
}

function presentChargedJob(
  job: ChargedJob & { title: string; batch: BatchName | null },
): Reply<'Spending'>['jobs'][number] {
  const {
    firstLine: _,
    lines: __,
    givenName: ___,
    spenderId,
    spenderName,
    ...charged
  } = presentCharged(job)
  return { ...charged, spender: { id: spenderId, name: spenderName } }
}

// /account/top-up: adding money by the payment service, where an operator set one.

const bookedSchema = {
  ...answering(REPLIES.Booked),
  params: Type.Object({ checkoutId: Type.String({ pattern: '^\\w{1,255}$' }) }),
}
const checkoutSchema = {
  ...answering(REPLIES.Checkout),
  body: closedObject({ amountUsd: Type.String({ maxLength: 16 }) }),
}

export function topUpRoutes({ db, config, publicUrl }: ApiContext): FastifyPluginAsyncTypebox {
  const payments = openPayments(config)
  return async (app) => {
    /** Answers with the amounts that may be paid, in USD; none where only the operator adds credit. */
    app.get('/account/top-up', { schema: answering(REPLIES.TopUpOffer) }, async () => ({
      amounts: (payments?.amounts ?? []).map(formatUsd),
    }))

    /** Answers whether a payment is booked: a customer who comes back from paying waits for it. */
    app.get('/account/top-up/:checkoutId', { schema: bookedSchema }, async (request) => {
      const { accountId } = visitorOf(request)
      const { checkoutId } = request.params
      const micros = await findCredited(db, { accountId, checkoutId })
      return { amount: micros === null ? null : formatUsd(micros) }
    })

    app.post('/account/top-up', { schema: checkoutSchema }, async (request) => {
      if (payments === null)
        throw refused('This server does not take payments; ask its operator for credit.')
      const { accountId, email } = visitorOf(request)
      const { url } = await payments.createCheckout({
        accountId,
        email,
        micros: parseUsd(request.body.amountUsd) ?? 0n,
        successUrl: `${publicUrl}/money?paid={CHECKOUT_SESSION_ID}`,
        cancelUrl: `${publicUrl}/money`,
      })
      return { url }
    })
  }
}
