/** The button that deletes texts; what it asks, and what goes, is loaded when it is pressed. */
import { Suspense, useState } from 'react'
import { lazyPart } from './lazy-part.ts'

const Question = lazyPart(async () => (await import('./delete-texts-question.tsx')).DeleteQuestion)

/** `path` is the address of the texts in the API. */
export function DeleteTexts({ path, label, look }: Record<'path' | 'label' | 'look', string>) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <button type="button" aria-haspopup="dialog" className={look} onClick={() => setAsked(true)}>
      {label}
    </button>
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <Question path={path} label={label} look={look} />
    </Suspense>
  )
}
