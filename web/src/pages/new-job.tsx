/** A new job: paste, see what was understood and what it costs at most, start. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { answered, api, type JobBody } from '../api/client.ts'
import { ApiProblem, sentenceOf } from '../api/problem.ts'
import { fundsQuery, recognitionQuery } from '../api/queries.ts'
import { Button, Notice, TextArea } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { RecognisedLines } from '../parts/recognised-lines.tsx'
import { CostBox } from '../parts/cost-box.tsx'
import { EMPTY_OPTIONS, JobOptions, type Options, optionsOf } from '../parts/job-options.tsx'
import { wrongField } from '../wrong-field.ts'
import { useSettled } from '../parts/use-settled.ts'

const route = getRouteApi('/member/new')
const TYPING_MS = 250

export function NewJobPage() {
  const { urls = '' } = route.useSearch()
  const [text, setText] = useState(urls)
  const [options, setOptions] = useState<Options>(EMPTY_OPTIONS)
  const typed = useSettled(text, TYPING_MS)
  const hasText = typed.trim() !== ''
  const { data: recognition } = useQuery({ ...recognitionQuery(typed), enabled: hasText })
  const { data: funds } = useQuery(fundsQuery)
  const { start, problem, isBusy } = useStart()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    start({ urls: text, ...optionsOf(options) })
  }
  const wrong = wrongField(problem)
  const errorAt = (name: string): string | null => (wrong?.field === name ? wrong.sentence : null)
  return (
    <>
      <PageHead
        title="New job"
        name="New job"
        about="Paste addresses of videos, playlists or channels: one per line, up to fifty."
      />
      <form
        onSubmit={submit}
        noValidate
        className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]"
      >
        <div className="min-w-0 space-y-4">
          <TextArea
            label="What do you want to read?"
            name="urls"
            rows={7}
            value={text}
            spellCheck={false}
            dir="auto"
            placeholder={'https://www.youtube.com/@channel\nhttps://www.youtube.com/watch?v=…'}
            onChange={(event) => setText(event.target.value)}
            error={errorAt('urls')}
          />
          <RecognisedLines recognition={hasText ? recognition : undefined} />
          <JobOptions options={options} onChange={setOptions} errorAt={errorAt} />
        </div>
        <aside className="space-y-4 lg:sticky lg:top-8 lg:self-start">
          <CostBox
            recognition={hasText ? recognition : undefined}
            funds={funds}
            maxVideos={options.maxVideos}
          />
          <Refusal problem={wrong === null ? problem : null} />
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy}
            disabled={text.trim() === ''}
            className="w-full"
          >
            Start the job
          </Button>
        </aside>
      </form>
    </>
  )
}

/** Starts the job once, however often it is clicked: the same order has the same key. */
function useStart() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const order = useRef({ body: '', key: '' })
  const navigate = useNavigate()
  const client = useQueryClient()

  const start = (body: JobBody) => {
    const text = JSON.stringify(body)
    if (order.current.body !== text) order.current = { body: text, key: crypto.randomUUID() }
    setBusy(true)
    setProblem(null)
    const header = { 'Idempotency-Key': order.current.key }
    answered(api.POST('/jobs', { body, params: { header } }))
      .then(async (job) => {
        client.setQueryData(['job', job.id], job)
        client.setQueryData(['notices', job.id], job.notices ?? [])
        void client.invalidateQueries({ queryKey: ['jobs'] })
        void client.invalidateQueries({ queryKey: ['funds'] })
        await navigate({ to: '/jobs/$id', params: { id: job.id } })
      })
      .catch((failure: unknown) => setProblem(failure))
      .finally(() => setBusy(false))
  }
  return { start, problem, isBusy }
}

/** A refusal that is about no field: what it says, and where to go from here. */
function Refusal({ problem }: { problem: unknown }) {
  return (
    <div aria-live="assertive">
      {problem !== null && (
        <Notice tone="danger">
          <p>{sentenceOf(problem)}</p>
          <WayOut problem={problem} />
        </Notice>
      )}
    </div>
  )
}

function WayOut({ problem }: { problem: unknown }) {
  if (!(problem instanceof ApiProblem)) return null
  if (problem.jobId !== null)
    return (
      <Link to="/jobs/$id" params={{ id: problem.jobId }} className="link">
        Open the running job
      </Link>
    )
  if (problem.code === 'insufficient_balance')
    return (
      <Link to="/account" className="link">
        Top up the balance
      </Link>
    )
  return null
}
