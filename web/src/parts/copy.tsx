/** A button that copies a text and says that it did. */
import { useEffect, useState } from 'react'
import { Button } from './controls.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

const SHOWN_MS = 2_000

export function CopyButton({
  text,
  label = 'Copy',
  size = 'small',
}: {
  text: string | (() => string)
  label?: string
  size?: 'normal' | 'small'
}) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null)
  useEffect(() => {
    if (outcome === null) return undefined
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  const copy = () => {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    )
  }
  return (
    <>
      <Button size={size} onClick={copy}>
        {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Select and copy it' : label}
      </Button>
      <span role="status" className="sr-only">
        {outcome === 'copied' ? 'Copied.' : ''}
      </span>
    </>
  )
}
