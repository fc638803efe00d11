/** The languages in which a video has captions, where it has none in the one that was ordered: each can be ordered. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Job, type JobVideo, jobs } from '../api/client.ts'
import { languageName, usd } from '../format.ts'
import { Confirm } from './confirm.tsx'
import { buttonLook } from './controls.tsx'

/** Number of languages that are offered; a video may have captions in a hundred. */
const OFFERED_MAX = 6

/** Returns the languages that a row names; none where it names none. */
export function otherLanguages({ status, errorMessage }: JobVideo): string[] {
  if (status !== 'language_not_available') return []
  const [, codes = ''] =
    /captions exist in:? ([\w-]{1,20}(?:, [\w-]{1,20}){0,200})/i.exec(errorMessage ?? '') ?? []
  return codes === '' ? [] : codes.split(', ')
}

/** Returns "Captions exist in English and French." */
export function languagesSentence(codes: string[]): string {
  const names = codes.map(languageName)
  return `Captions exist in ${new Intl.ListFormat('en').format(names)}.`
}

export function OrderInLanguages({
  row,
  job,
  codes,
}: {
  row: JobVideo
  job: Job
  codes: string[]
}) {
  const { url } = row
  if (url === null) return null
  return codes
    .slice(0, OFFERED_MAX)
    .map((code) => <OrderIn key={code} url={url} job={job} code={code} />)
}

function OrderIn({ url, job, code }: { url: string; job: Job; code: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const name = languageName(code)
  const price = usd(job.billing.pricePerTranscript)
  const order = async () => {
    const { formats } = job.input
    const request = { urls: [url], language: code, formats, maxVideos: 1 }
    const next = await jobs.startOrJoin(request, { owned: 'skip' }) // another order may have brought it
    client.setQueryData(['job', next.id], next)
    void client.invalidateQueries({ queryKey: ['jobs'] })
    await navigate({ to: '/jobs/$id', params: { id: next.id } })
  }
  return (
    <Confirm
      title={`Order this video in ${name}?`}
      action={`Order it · ${price}`}
      trigger={`Order in ${name} · ${price}`}
      triggerLook={buttonLook('plain', 'small')}
      onConfirm={order}
    >
      <p>A new job fetches this one video. It is charged only if the transcript is delivered.</p>
    </Confirm>
  )
}
