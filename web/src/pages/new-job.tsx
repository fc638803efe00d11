/** A new job: paste lines, see how they are understood and the highest cost, start. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import type { SourcesPreview } from '../api/account.ts'
import { JOB_LINES_MAX, orderBatch } from '../api/batches.ts'
import { type JobRequest, jobs, type Preview, type WishedTrack } from '../api/client.ts'
import { sentenceOf } from '../api/problem.ts'
import { jobPreviewQuery, previewQuery, visitQuery } from '../api/queries.ts'
import { type Draft, keepDraft, mendedText, readDraft } from '../draft.ts'
import { limitedTo, type Options, type OrderChoices } from '../order-fields.ts'
import { type OrderPromise, orderSize, promiseOfForm } from '../order-size.ts'
import { PageHead } from '../parts/page-head.tsx'
import { LinesBox } from '../parts/lines-box.tsx'
import { PreviewedLines } from '../parts/previewed-lines.tsx'
import { OrderBox } from '../parts/order-box.tsx'
import { EMPTY_OPTIONS, JobOptions, optionsOf } from '../parts/job-options.tsx'
import { wrongField } from '../wrong-field.ts'
import { useDebouncedValue } from '../parts/use-debounced-value.ts'
import { useOpenOrder } from '../parts/use-open-order.ts'

const route = getRouteApi('/member/new')
const TYPING_MS = 250
/** Pause in typing, in milliseconds, after which lists are previewed. */
const PAUSE_MS = 800

export function NewJobPage() {
  const { urls = '', max } = route.useSearch()
  const { data: visit } = useQuery(visitQuery)
  const from = JSON.stringify([urls, max])
  if (visit?.accountId == null) return null
  const limit = max === undefined ? {} : limitedTo(max)
  const empty = { from, text: urls, options: { ...EMPTY_OPTIONS, ...limit } }
  return (
    <>
      <PageHead
        name="New job"
        about="Paste addresses of videos, playlists or channels, up to a thousand."
      />
      <NewJob key={`${visit.accountId} ${from}`} accountId={visit.accountId} empty={empty} />
    </>
  )
}

function NewJob({ accountId, empty }: { accountId: string; empty: Draft<Options> }) {
  const { draft, change, forget } = useDraft(accountId, empty)
  const { text } = draft
  const options = { ...EMPTY_OPTIONS, ...draft.options }
  const { preview, ofText } = useRecognised(text, optionsOf(options).language, options.track)
  const { start, problem, forgetProblem, isBusy } = useStart(forget)
  const request = { urls: orderedText(text, ofText), ...optionsOf(options) }
  const choices = { owned: options.owned, track: options.track }
  const size = orderSize({ preview, options })
  const { lines, found, refusal } = useJobPreview(request, { choices, preview, ofText })
  const promise = promiseOfForm(request, { preview: ofText, options, found })
  const box = useRef<HTMLTextAreaElement>(null)
  const edit = (next: (before: Draft<Options>) => Partial<Draft<Options>>) => {
    forgetProblem()
    change(next)
  }
  const editText = (next: (before: string) => string) =>
    edit(({ text: now }) => ({ text: next(now) }))
  const setOptions = (part: Partial<Options>) =>
    edit((before) => ({ options: { ...before.options, ...part } }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    start(promise, { previewId: found?.id, ...choices, isBatch: size.isBatch })
  }
  const removeUnusable = () => {
    editText((before) => ofText?.usable ?? before)
    box.current?.focus()
  }
  const mend = (line: SourcesPreview['lines'][number]) => {
    editText((before) => mendedText(before, line))
    box.current?.focus()
  }
  const wrong = wrongField(problem ?? refusal)
  const errorAt = (name: string) => (wrong?.field === name ? wrong.sentence : null)
  return (
    <form
      onSubmit={submit}
      noValidate
      className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]"
    >
      <div className="min-w-0 space-y-4">
        <LinesBox ref={box} value={text} onChange={editText} error={errorAt('urls')} />
        <PreviewedLines
          preview={preview}
          found={lines}
          owned={options.owned}
          isStale={ofText === undefined}
          isLooking={found === undefined}
          refusal={refusal === null ? null : wrong === null ? sentenceOf(refusal) : ''}
          onRemove={removeUnusable}
          onMend={mend}
        />
        <JobOptions options={options} onChange={setOptions} errorAt={errorAt} />
      </div>
      <OrderBox
        promise={promise}
        preview={preview}
        isStale={ofText === undefined && hasVisible(text)}
        found={found}
        options={options}
        onChange={setOptions}
        problem={wrongField(problem) === null ? problem : null}
        isBusy={isBusy}
        isEmpty={!hasVisible(text)}
      />
    </form>
  )
}

/** Returns the draft of this tab, which is saved with each change; call `forget` once it has become a job. */
function useDraft(accountId: string, empty: Draft<Options>) {
  const [draft, setDraft] = useState(() => readDraft<Options>(accountId, empty.from) ?? empty)
  const isOver = useRef(false)
  useEffect(() => {
    if (!isOver.current) keepDraft(accountId, draft)
  }, [accountId, draft])
  const forget = () => {
    isOver.current = true
    keepDraft(accountId, null)
  }
  const change = (next: (before: Draft<Options>) => Partial<Draft<Options>>) =>
    setDraft((before) => ({ ...before, ...next(before) }))
  return { draft, change, forget }
}

/** Returns how the lines were understood: `ofText` is of this text, `preview` perhaps of the text before. */
function useRecognised(
  text: string,
  ...wish: [language: string | undefined, track: WishedTrack | undefined]
): Record<'preview' | 'ofText', SourcesPreview | undefined> {
  const typed = useDebouncedValue(text, TYPING_MS)
  const hasText = hasVisible(typed)
  const { data, isPlaceholderData } = useQuery({
    ...previewQuery(typed, ...wish),
    enabled: hasText,
  })
  const preview = hasText && hasVisible(text) ? data : undefined
  return { preview, ofText: typed === text && !isPlaceholderData ? preview : undefined }
}

/**
 * Returns the usable lines of the text; or all of it where there are none, or where nobody has read it yet, so that the
 * server says why. The server splits lines, for every caller in the same way.
 */
function orderedText(text: string, preview: SourcesPreview | undefined): string {
  const isWhole = preview === undefined || preview.usable === '' || preview.unclear === 0
  return isWhole ? text : preview.usable
}

/**
 * Returns what the job would take up, once a line is usable and the typing has paused. `lines` may still be the preview
 * of the request before; `found` is that of this request. `refusal` is why there is none, or null.
 */
function useJobPreview(
  request: JobRequest,
  {
    choices,
    preview,
    ofText,
  }: { choices: OrderChoices } & Record<'preview' | 'ofText', SourcesPreview | undefined>,
): { lines: Preview | undefined; found: Preview | undefined; refusal: unknown } {
  const settled = useDebouncedValue(JSON.stringify(request), PAUSE_MS)
  const isSettled = settled === JSON.stringify(request)
  const { links = 0, lineCount = 0, unclear = 0 } = preview ?? {}
  const isUsable = links > 0 && lineCount - unclear <= JOB_LINES_MAX
  const { data, isPlaceholderData, error } = useQuery({
    ...jobPreviewQuery(request, choices),
    enabled: isSettled && ofText !== undefined && isUsable,
    placeholderData: keepPreviousData,
  })
  if (!isUsable) return { lines: undefined, found: undefined, refusal: null }
  return { lines: data, found: isPlaceholderData ? undefined : data, refusal: error }
}

/** Starts the job once, however often the button is clicked: equal orders have the same key. */
function useStart(onStarted: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const order = useRef({ body: '', key: '' })
  const { openJob, openBatch } = useOpenOrder()

  const start = (
    promise: OrderPromise,
    options: OrderChoices & { previewId: string | undefined; isBatch: boolean },
  ) => {
    const { isBatch, ...ofJob } = options
    const text = JSON.stringify([promise.request, options.owned, options.track])
    if (order.current.body !== text) order.current = { body: text, key: crypto.randomUUID() }
    setBusy(true)
    setProblem(null)
    const { key: idempotencyKey } = order.current
    const started = isBatch
      ? orderBatch(promise.request, options).then((batch) => () => openBatch(batch))
      : jobs.start(promise.request, { idempotencyKey, ...ofJob }).then((job) => () => openJob(job))
    started
      .then(async (open) => {
        onStarted()
        await open()
      })
      .catch((failure: unknown) => setProblem(failure))
      .finally(() => setBusy(false))
  }
  return { start, problem, forgetProblem: () => setProblem(null), isBusy }
}
