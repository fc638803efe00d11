/** The form that changes what a job or a project is called, and what is noted about it, loaded when it is opened. */
import { Suspense } from 'react'
import { lazyPart } from './lazy-part.ts'
import { Loading } from './states.tsx'
import type { WordsToChange } from './words-form.tsx'

const WordsForm = lazyPart(async () => (await import('./words-form.tsx')).WordsForm)

export function WordsFields(form: { words: WordsToChange; onEnd: () => void }) {
  return (
    <Suspense fallback={<Loading lines={3} label="Loading the form" />}>
      <WordsForm {...form} />
    </Suspense>
  )
}
