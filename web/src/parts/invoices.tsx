/** Invoices of payments, where the operator offers them. */
import { useQuery } from '@tanstack/react-query'
import { invoicesQuery } from '../api/money.ts'
import { usd, usdInColumn } from '../format.ts'
import { Section } from './controls.tsx'
import { DataTable, FileButton, timeCell } from './data-table.tsx'
import { Empty } from './states.tsx'

export function InvoicesSection() {
  const { data: invoices } = useQuery(invoicesQuery)
  if (invoices === undefined || invoices === null) return null
  return (
    <Section title="Invoices" about="One for each payment. Free credit is not invoiced.">
      {invoices.length === 0 && (
        <Empty title="No invoices yet">Top up above; each payment gets an invoice as a PDF.</Empty>
      )}
      {invoices.length > 0 && (
        <DataTable
          name="Invoices"
          rows={invoices}
          keyOf={({ number }) => number}
          columns={({ act, figure, wide }) => ({
            Number: ({ number, returned }) => (
              <span className="numbers">
                {number}
                {returned !== null && (
                  <span className="block text-sm text-muted">{usd(returned)} went back to you</span>
                )}
              </span>
            ),
            Paid: wide(({ paidAt }) => timeCell(paidAt)),
            Amount: figure(({ amount }) => usdInColumn(amount)),
            File: act(({ number }) => (
              <FileButton
                href={`/account/invoices/${number}.pdf`}
                aria-label={`Invoice ${number} as PDF`}
              >
                PDF
              </FileButton>
            )),
          })}
        />
      )}
    </Section>
  )
}
