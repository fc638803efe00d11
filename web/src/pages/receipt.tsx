/** The signed receipt of a job, and a button that proves it in the reader's own browser. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { proveReceipt, type Receipt, receiptQuery, type Verdict } from '../api/money.ts'
import { jobQuery, visitQuery } from '../api/queries.ts'
import { isMissing } from '../api/problem.ts'
import { Button, buttonLook } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Loading, Waiting } from '../parts/states.tsx'
import { count, counted, jobTitle, usd, when } from '../format.ts'
import { PAGE_NAMES, STATE_WORDS } from '../words.ts'
import { NotFoundPage } from './not-found.tsx'
import { useFormWork } from '../parts/entrance.tsx'
import { TextLink } from '../parts/text-link.tsx'

const route = getRouteApi('/member/receipts/$id')

export function ReceiptPage() {
  const { id } = route.useParams()
  const query = useQuery(receiptQuery(id))
  const { data: receipt, error } = query
  // The job's name may take two lines: it is shown together with the part below, which would be pushed down otherwise.
  const { data: job, isPending: isNameless } = useQuery(jobQuery(id))
  if (isMissing(error)) return <NotFoundPage />
  const isOnItsWay = error === null && (receipt === undefined || isNameless)
  return (
    <>
      <PageHead
        name={PAGE_NAMES.receipt}
        about={
          <TextLink to="/jobs/$id" params={{ id }} className="wrap-anywhere" dir="auto">
            {job === undefined || isOnItsWay ? 'The job' : jobTitle(job)}
          </TextLink>
        }
      />
      {isOnItsWay && <Loading lines={4} label="Loading the receipt" />}
      {!isOnItsWay && <Waiting query={query} lines={4} />}
      {receipt !== undefined && !isOnItsWay && <Checked receipt={receipt} />}
    </>
  )
}

function Facts({ receipt }: { receipt: Receipt }) {
  const facts: [string, string][] = [
    ['Ended', `${STATE_WORDS[receipt.state]}, ${when(receipt.finishedAt)}`],
    [
      'Delivered',
      `${counted(receipt.transcripts, 'transcript')} at ${usd(receipt.pricePerTranscript)}`,
    ],
    ['Charged', usd(receipt.charged)],
    ['Reserved', `${usd(receipt.reserved)}, of which ${usd(receipt.released)} was released`],
    ['Signed with key', receipt.signature.keyId],
    ['Issued by', receipt.issuer],
  ]
  return (
    <dl className="divide-y divide-line border-y border-line">
      {facts.map(([name, value]) => (
        <div key={name} className="flex flex-wrap gap-x-4 py-2.5">
          <dt className="w-36 text-muted">{name}</dt>
          <dd className="numbers min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The verdict in one line; below it the facts, and beside them what was checked. */
function Checked({ receipt }: { receipt: Receipt }) {
  const { data: visit } = useQuery(visitQuery)
  const work = useFormWork()
  const [proven, setProven] = useState<Verdict | null>(null)
  const verdict = work.error === null ? proven : null
  const issuer = visit?.apiBase.replace(/\/api\/v1$/, '') ?? location.origin
  const verify = () => work.run(async () => setProven(await proveReceipt(receipt, issuer)))
  const { look, mark, line } = VERDICTS[work.error === null ? (verdict?.kind ?? 'none') : 'failed']
  return (
    <>
      <div className={`mb-8 flex flex-wrap items-center gap-3 rounded-2xl px-5 py-4 ${look}`}>
        <p
          role="status"
          className="mr-auto flex items-baseline gap-2.5 text-lg font-semibold max-sm:w-full"
        >
          <span aria-hidden>{mark}</span>
          {line}
        </p>
        <Button
          kind={verdict === null ? 'primary' : 'plain'}
          isBusy={work.isBusy}
          onClick={() => void verify()}
        >
          {verdict === null ? 'Verify' : 'Verify again'}
        </Button>
        <a
          href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`}
          download={`receipt-${receipt.jobId}.json`}
          className={buttonLook('plain')}
        >
          Save as JSON
        </a>
      </div>
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-2">
        <Facts receipt={receipt} />
        {/* It is as high as most verdicts, so that the foot stays where it is. */}
        <section
          aria-label="What is checked"
          className="max-w-[60ch] min-h-80 space-y-3 wrap-anywhere sm:min-h-60 lg:pt-2.5"
        >
          {work.error ?? <Details verdict={verdict} receipt={receipt} />}
        </section>
      </div>
    </>
  )
}

const VERDICTS: Record<
  Verdict['kind'] | 'none' | 'failed',
  { look: string; mark: string; line: string }
> = {
  none: { look: 'bg-sunken', mark: '○', line: 'Not verified yet.' },
  holds: { look: 'bg-accent-soft', mark: '✓', line: 'Receipt verified.' },
  broken: { look: 'bg-danger-soft', mark: '✕', line: 'Receipt not valid.' },
  cannot: { look: 'bg-warn-soft', mark: '!', line: 'This browser cannot verify it.' },
  failed: { look: 'bg-danger-soft', mark: '!', line: 'The receipt could not be checked.' },
}

function Details({ verdict, receipt }: { verdict: Verdict | null; receipt: Receipt }) {
  switch (verdict?.kind) {
    case undefined:
      return (
        <p className="text-muted">
          Your browser checks the signature, reads each text again and compares its hash, and adds
          up the charge. This server provides only its published key and the texts.
        </p>
      )
    case 'holds':
      return (
        <>
          <p>
            It is signed with key {receipt.signature.keyId}, which {receipt.issuer} publishes:
            nothing in it was changed, and its issuer cannot deny it.
          </p>
          <p>{textsSentence(verdict.texts, receipt.transcripts)}</p>
          <p>
            {counted(receipt.transcripts, 'transcript')} at {usd(receipt.pricePerTranscript)} are
            the {usd(receipt.charged)} that the ledger’s{' '}
            {counted(receipt.ledger.entries.length, 'chained entry', 'chained entries')} of this job
            took, and {usd(receipt.released)} went back to your balance.
          </p>
        </>
      )
    case 'broken':
      return (
        <ul className="list-disc pl-5">
          {verdict.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )
    case 'cannot':
      return (
        <p>
          Checking a signature of this kind needs https and Chrome 137, Firefox 129 or Safari 17.
          Save the receipt and check it with{' '}
          <code className="font-mono">npm run verify-receipt</code>.
        </p>
      )
    default:
      return verdict satisfies never
  }
}

function textsSentence(texts: number, delivered: number): string {
  if (delivered === 0) return 'It lists no texts, as none were delivered.'
  if (texts === 0) return 'Its texts were deleted and could not be compared.'
  const gone = delivered - texts
  const others = gone === 1 ? 'other one was' : `other ${count(gone)} were`
  const rest = gone === 0 ? '' : ` The ${others} deleted and could not be compared.`
  return `The ${counted(texts, 'text')} that you can read here now ${texts === 1 ? 'has' : 'have'} exactly the hashes that were signed.${rest}`
}
