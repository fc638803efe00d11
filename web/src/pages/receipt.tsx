/** The signed receipt of a job, and a button that proves it in the reader's own browser. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { proveReceipt, type Receipt, receiptQuery, type Verdict } from '../api/money.ts'
import { jobQuery, visitQuery } from '../api/queries.ts'
import { isMissing } from '../api/problem.ts'
import { Button, buttonLook, Notice } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Loading, Waiting } from '../parts/states.tsx'
import { counted, jobTitle, usd, when } from '../format.ts'
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
      {receipt !== undefined && !isOnItsWay && (
        <div className="max-w-3xl space-y-8">
          <Facts receipt={receipt} />
          <Proof receipt={receipt} />
        </div>
      )}
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
          <dt className="w-40 text-muted">{name}</dt>
          <dd className="numbers min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Proof({ receipt }: { receipt: Receipt }) {
  const { data: visit } = useQuery(visitQuery)
  const work = useFormWork()
  const [proven, setProven] = useState<Verdict | null>(null)
  const verdict = work.error === null ? proven : null
  const issuer = visit?.apiBase.replace(/\/api\/v1$/, '') ?? location.origin
  const verify = () => work.run(async () => setProven(await proveReceipt(receipt, issuer)))
  return (
    <section aria-label="Proof" className="space-y-4">
      <p className="max-w-[60ch] text-muted">
        Your browser checks the signature, reads each text again and compares its hash, and adds up
        the charge. This server provides only its published key and the texts.
      </p>
      <div className="flex flex-wrap gap-3">
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
      {/* The box is as high as most verdicts, so that the foot stays where it is. */}
      <div className="min-h-88 sm:min-h-52">
        {work.error !== null && (
          <Notice tone="danger" title="The receipt could not be checked.">
            {work.error}
          </Notice>
        )}
        {verdict !== null && <VerdictNotice verdict={verdict} receipt={receipt} />}
      </div>
    </section>
  )
}

function VerdictNotice({ verdict, receipt }: { verdict: Verdict; receipt: Receipt }) {
  switch (verdict.kind) {
    case 'holds':
      return (
        <Notice title="Receipt verified.">
          <p>
            It is signed with key {receipt.signature.keyId}, which {receipt.issuer} publishes:
            nothing in it was changed, and its issuer cannot deny it.
          </p>
          <p>{textsSentence(verdict.texts, receipt.transcripts)}</p>
          <p>
            {counted(receipt.transcripts, 'transcript')} at {usd(receipt.pricePerTranscript)} are
            the {usd(receipt.charged)} that the ledger’s {receipt.ledger.entries.length} chained
            entries of this job took, and {usd(receipt.released)} went back to your balance.
          </p>
        </Notice>
      )
    case 'broken':
      return (
        <Notice tone="danger" title="Receipt not valid.">
          <ul className="list-disc pl-5">
            {verdict.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )
    case 'cannot':
      return (
        <Notice tone="warn" title="This browser cannot check signatures of this kind.">
          It needs https and Chrome 137, Firefox 129 or Safari 17. Save the receipt and check it
          with <code className="font-mono">npm run verify-receipt</code>.
        </Notice>
      )
    default:
      return verdict satisfies never
  }
}

function textsSentence(texts: number, delivered: number): string {
  if (delivered === 0) return 'It lists no texts, as none were delivered.'
  const rest =
    texts === delivered
      ? ''
      : ` The other ${delivered - texts} were deleted and could not be compared.`
  return `The ${counted(texts, 'text')} that you can read here now ${texts === 1 ? 'has' : 'have'} exactly the hashes that were signed.${rest}`
}
