/** Buttons that copy a text and say that they did. */
import { useEffect, useState } from 'react'
import { Button } from './controls.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

const SHOWN_MS = 2_000

export function useCopy() {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null)
  useEffect(() => {
    if (outcome === null) return undefined
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    )
  }
  return { outcome, copy }
}

export function CopyButton({
  text,
  label = 'Copy',
  size = 'small',
  kind = 'plain',
}: {
  text: string | (() => string)
  label?: string
  size?: 'normal' | 'small'
  kind?: 'plain' | 'quiet'
}) {
  const { outcome, copy } = useCopy()
  return (
    <>
      <Button
        kind={kind}
        size={size}
        onClick={() => copy(typeof text === 'string' ? text : text())}
      >
        {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Select and copy it' : label}
      </Button>
      <CopiedStatus isCopied={outcome === 'copied'} />
    </>
  )
}

export function CopiedStatus({ isCopied }: { isCopied: boolean }) {
  return (
    <span role="status" className="sr-only">
      {isCopied ? 'Copied.' : ''}
    </span>
  )
}
