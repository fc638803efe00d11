/** Invoices of payments, where the operator offers them. */
import { useQuery } from '@tanstack/react-query'
import { invoicesQuery } from '../api/money.ts'
import { usd, usdInColumn, when } from '../format.ts'
import { buttonLook, Section } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'
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
        <ul className="divide-y divide-line border-y border-line">
          {invoices.map(({ number, paidAt, amount, returned }) => (
            <li key={number} className="flex items-baseline gap-4 py-3">
              <span className="numbers flex-1">
                {number}
                {returned !== null && (
                  <span className="block text-sm text-muted">{usd(returned)} went back to you</span>
                )}
              </span>
              <time dateTime={paidAt} className="text-sm text-muted">
                {when(paidAt)}
              </time>
              <span className="numbers">{usdInColumn(amount)}</span>
              <a
                href={`/account/invoices/${number}.pdf`}
                download
                aria-label={`Invoice ${number} as PDF`}
                className={buttonLook('plain', 'small')}
              >
                <DownloadIcon /> PDF
              </a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
