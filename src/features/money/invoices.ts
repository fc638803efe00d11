/** Invoices of payments, as data and as PDF. */
import { buffer } from 'node:stream/consumers'
import {
  type Invoice,
  invoiceNumber,
  type InvoiceSender,
  invoiceSum,
} from '../../model/money/statement.ts'
import type { Db } from '../../store/database.ts'
import { listPayments } from '../../store/payments.ts'

export { findCredited } from '../../store/payments.ts'

/** Returns the account's invoices, newest first. */
export async function readInvoices(db: Db, accountId: string): Promise<Invoice[]> {
  const payments = await listPayments(db, accountId)
  return payments
    .map(({ id, number, ...paid }) => ({
      ...paid,
      number: invoiceNumber(accountId, number),
      paymentId: id,
    }))
    .reverse()
}

type InvoiceDrawing = { invoice: Invoice; sender: InvoiceSender; customer: string[] }

/**
 * Loads the PDF library. That takes a tenth of a second or more in one turn of the event loop, so it is done before the
 * first request, and only where invoices are offered.
 */
export const loadPdfLibrary = () => import('pdfkit')

const LEFT = 60
const WIDTH = 475
const SUM_WIDTH = 110
const MUTED = '#555555'

/** Draws an invoice as a PDF of one page; the same invoice gives the same bytes. */
export async function drawInvoice({ invoice, sender, customer }: InvoiceDrawing): Promise<Buffer> {
  const { default: PdfDocument } = await loadPdfLibrary()
  const page = new PdfDocument({
    size: 'A4',
    margin: LEFT,
    info: {
      Title: `Invoice ${invoice.number}`,
      Author: sender.name,
      CreationDate: invoice.paidAt,
      ModDate: invoice.paidAt,
    },
  })
  const bytes = buffer(page)
  drawHead(page, { invoice, sender, customer })
  drawSum(page, invoice)
  page.font('Helvetica').fontSize(10).fillColor(MUTED)
  const { returnedMicros } = invoice
  const returned = returnedMicros === 0n ? '' : ` ${invoiceSum(returnedMicros)} went back to you.`
  const paid = `Paid on ${dayOf(invoice)} by ${invoice.paymentId}.${returned} Nothing is owed.`
  page.text(printable(paid), LEFT, page.y + 24, { width: WIDTH })
  if (sender.note !== null) page.moveDown().text(sender.note, { width: WIDTH })
  page.end()
  return bytes
}

function drawHead(page: PDFKit.PDFDocument, { invoice, sender, customer }: InvoiceDrawing): void {
  page.font('Helvetica-Bold').fontSize(11).text(sender.name, LEFT, LEFT)
  page.font('Helvetica').fontSize(10).fillColor(MUTED)
  for (const line of [...sender.address, ...(sender.taxId === null ? [] : [sender.taxId])])
    page.text(line)
  page.fillColor('black').font('Helvetica-Bold').fontSize(22).text('Invoice', LEFT, 200)
  page.font('Helvetica').fontSize(10).moveDown(0.5)
  page
    .text(`Number ${invoice.number}`)
    .text(`Date ${dayOf(invoice)}`)
    .moveDown()
  page.fillColor(MUTED).text('To').fillColor('black')
  for (const line of customer) page.text(printable(line))
}

function drawSum(page: PDFKit.PDFDocument, { micros }: Invoice): void {
  const sum = invoiceSum(micros)
  const line = (what: string, isBold: boolean): void => {
    const top = page.y + 10
    page.font(isBold ? 'Helvetica-Bold' : 'Helvetica').fontSize(11)
    page.text(what, LEFT, top, { width: WIDTH - SUM_WIDTH, lineBreak: false })
    page.text(sum, LEFT + WIDTH - SUM_WIDTH, top, { width: SUM_WIDTH, align: 'right' })
    page.moveTo(LEFT, page.y + 6).lineTo(LEFT + WIDTH, page.y + 6)
    page.lineWidth(0.5).strokeColor('#bbbbbb').stroke()
  }
  page.moveDown(2)
  line('Prepaid credit for transcripts', false)
  line('Total', true)
}

function dayOf({ paidAt }: Invoice): string {
  return paidAt.toISOString().slice(0, 10)
}

/** Returns the text in the characters of Windows-1252, since the fonts that every PDF reader has know no others. */
function printable(text: string): string {
  return text.replace(/[^ -~\u00a0-\u00ff€–—‘’“”]/gu, '?')
}
