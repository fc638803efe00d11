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
  kind = 'plain',
}: {
  text: string | (() => string)
  label?: string
  kind?: 'plain' | 'quiet'
}) {
  const { outcome, copy } = useCopy()
  return (
    <>
      <Button
        kind={kind}
        size="small"
        onClick={() => copy(typeof text === 'string' ? text : text())}
      >
        {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Select and copy it' : label}
      </Button>
      <CopiedStatus isCopied={outcome === 'copied'} />
    </>
  )
}

/** The end of an id, which is copied whole when it is pressed. */
export function CopyId({ id }: { id: string }) {
  const { outcome, copy } = useCopy()
  return (
    <>
      <button
        type="button"
        title={id}
        onClick={() => copy(id)}
        className="min-h-6 font-mono text-sm hover:text-ink"
      >
        <span className="sr-only">Copy ID </span>
        {outcome === 'copied' ? 'Copied' : `…${id.slice(-6)}`}
      </button>
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
