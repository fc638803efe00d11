/** A key or secret right after it was made, which is shown only now, to be copied. */
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button, Notice } from './controls.tsx'
import { CopyButton } from './copy.tsx'

export function ShownOnce({
  what,
  text,
  children,
  onDone,
}: {
  what: 'key' | 'secret'
  text: string
  children: ReactNode
  onDone: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
    box.current?.focus({ preventScroll: true })
  }, [text])
  // The secret is never shown again: the browser asks before the tab closes, the page before another one opens.
  useBlocker({
    shouldBlockFn: () => !confirm(`Leave without saving the ${what}? It will not be shown again.`),
    enableBeforeUnload: true,
  })
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="group"
      aria-label={`The new ${what}`}
      className="mb-6 rounded-xl"
    >
      <Notice title={`Copy this ${what} now: it will not be shown again`}>
        <code
          className="mt-2 block rounded-lg bg-surface px-3 py-2 font-mono text-sm break-all"
          data-testid={`new-${what}`}
        >
          {text}
        </code>
        <p className="mt-2 text-sm">{children}</p>
        <div className="mt-3 flex gap-2">
          <CopyButton text={text} label={`Copy the ${what}`} />
          <Button size="small" onClick={onDone}>
            I have saved it
          </Button>
        </div>
      </Notice>
    </div>
  )
}
