/** The note about a job or a project, with the button that changes it and the name in the same place. */
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyPart } from './lazy-part.ts'
import { Loading } from './states.tsx'
import type { WordsToChange } from './words-form.tsx'

const WordsForm = lazyPart(async () => (await import('./words-form.tsx')).WordsForm)

/** The form; it is loaded when it is opened. */
export function WordsFields(form: { words: WordsToChange; onEnd: () => void }) {
  return (
    <Suspense fallback={<Loading lines={3} label="Loading the form" />}>
      <WordsForm {...form} />
    </Suspense>
  )
}

export function WordsInPlace({
  words,
  action,
  before,
  after,
}: {
  words: WordsToChange
  /** The words of the button. */
  action: string
  /** What stands on the line of the button. */
  before?: ReactNode
  after?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (isOpen) {
    return (
      <div className="-mt-4 mb-8">
        <WordsFields words={words} onEnd={close} />
      </div>
    )
  }
  return (
    <div className="-mt-5 mb-6">
      {words.note !== null && (
        <p dir="auto" className="mb-1 max-w-[68ch] wrap-anywhere whitespace-pre-line">
          {words.note}
        </p>
      )}
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm text-muted">
        {before}
        <button ref={opener} type="button" className="link min-h-6" onClick={() => setOpen(true)}>
          {action}
        </button>
        {after}
      </div>
    </div>
  )
}
