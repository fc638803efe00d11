/** /account/spending, /account/invoices: what jobs cost, one line each, and the invoices of payments. */
import { Readable } from 'node:stream'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { ApiContext } from '../api-context.ts'
import { pagingOf } from '../contract.ts'
import { senderOf } from '../../model/money/invoice.ts'
import { drawInvoice, loadPdfLibrary, readInvoices } from '../../features/money/invoices.ts'
import { formatUsd } from '../../model/money/money.ts'
import { readSpendingPage, streamSpendingCsv } from '../../features/money/statement.ts'
import type { ChargedJob } from '../../model/money/spending.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { BYTES, type Reply, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const filters = {
  month: Type.Optional(Type.String({ pattern: '^20\\d{2}-(0[1-9]|1[0-2])$' })),
  spender: Type.Optional(Type.String({ maxLength: 80 })),
}
const spendingSchema = {
  hide: true,
  response: { 200: REPLIES.Spending },
  querystring: Type.Object({
    ...filters,
    ...pagingOf({ limit: 25, limitMax: LIMITS.statementPageMax }),
  }),
}
const csvSchema = { hide: true, response: { 200: BYTES }, querystring: Type.Object(filters) }

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

    app.get(
      '/account/spending.csv',
      { schema: csvSchema, exposeHeadRoute: false },
      async (request, reply) => {
        const { accountId } = visitorOf(request)
        const { month = null, spender = null } = request.query
        downloads.begin(accountId, reply)
        const name = month === null ? 'spending' : `spending-${month}`
        return reply
          .header('Content-Disposition', `attachment; filename="${name}.csv"`)
          .type('text/csv; charset=utf-8')
          .send(Readable.from(streamSpendingCsv(db, { accountId, month, spender })))
      },
    )
  }
}

const listSchema = { hide: true, response: { 200: REPLIES.Invoices } }
const pdfSchema = {
  hide: true,
  params: Type.Object({ number: Type.String({ pattern: '^\\w{12}-\\d{4,9}$' }) }),
  response: { 200: BYTES },
}

export function invoiceRoutes({ db, config }: ApiContext): FastifyPluginAsyncTypebox {
  const sender = senderOf(config)
  return async (app) => {
    if (sender !== null) await loadPdfLibrary()
    /** Answers null where the operator offers no invoices. */
    app.get('/account/invoices', { schema: listSchema }, async (request) => {
      if (sender === null) return { invoices: null }
      const invoices = await readInvoices(db, visitorOf(request).accountId)
      return {
        invoices: invoices.map(({ number, paidAt, micros, returnedMicros }) => ({
          number,
          paidAt: paidAt.toISOString(),
          amount: formatUsd(micros),
          returned: returnedMicros === 0n ? null : formatUsd(returnedMicros),
        })),
      }
    })

    app.get(
      '/account/invoices/:number.pdf',
      { schema: pdfSchema, exposeHeadRoute: false },
      async (request, reply) => {
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
      },
    )
  }
}

function presentCharged<T extends { chargedMicros: bigint }>({ chargedMicros, ...rest }: T) {
  return { ...rest, charged: formatUsd(chargedMicros) }
}

function presentChargedJob(job: ChargedJob): Reply<'Spending'>['jobs'][number] {
  const { id, state, urls, transcripts, spenderId, spenderName } = job
  return {
    id,
    state,
    urls: urls.slice(0, 1),
    lines: urls.length,
    transcripts,
    charged: formatUsd(job.chargedMicros),
    chargedAt: job.chargedAt.toISOString(),
    spender: { id: spenderId, name: spenderName },
  }
}
