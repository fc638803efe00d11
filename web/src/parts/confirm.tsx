/** A question in a window of its own, before something that cannot be undone. */
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { sentenceOf } from '../api/problem.ts'
import { loadPart } from '../connection.ts'

/** The window would be a fifth of a job page's weight: it is loaded when a button is hovered or focused, and stays. */
const loadWindow = (isAsked: boolean) =>
  loadPart(
    () => import('./confirm-window.tsx'),
    () => isAsked,
  )
const ConfirmWindow = lazy(async () => ({ default: (await loadWindow(true)).ConfirmWindow }))
/** A failure is ignored here: the press of the button loads again, and reports it. */
const lookAhead = () => void loadWindow(false).catch(() => undefined)

export type ConfirmProps = {
  trigger: ReactNode
  triggerLook: string
  title: string
  children: ReactNode
  action: string
  isDangerous?: boolean
  /** Whether what the question asks for is given; until then its button cannot be pressed. */
  isReady?: boolean
  /** Called each time the question is asked. */
  onAsk?: () => void
  /** Closes the window when it resolves; a failure is shown in the window. */
  onConfirm: () => Promise<unknown>
}

export function Confirm({
  trigger,
  triggerLook,
  title,
  children,
  action,
  isDangerous = false,
  isReady = true,
  onAsk,
  onConfirm,
}: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)

  const confirm = async () => {
    setBusy(true)
    setError(null)
    const focusNeighbour = neighbourOf(opener.current)
    try {
      await onConfirm()
      setOpen(false)
      focusNeighbour()
    } catch (failure) {
      setError(sentenceOf(failure))
    } finally {
      setBusy(false)
    }
  }
  const ask = () => {
    setAsked(true)
    setOpen(true)
    onAsk?.()
  }
  const answer = { error, action, isDangerous, isReady, isBusy, onConfirm: () => void confirm() }
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={triggerLook}
        onPointerEnter={lookAhead}
        onFocus={lookAhead}
        onClick={ask}
      >
        {trigger}
      </button>
      {isAsked && (
        <Suspense>
          <ConfirmWindow isOpen={isOpen} onOpen={setOpen} opener={opener} title={title} {...answer}>
            {children}
          </ConfirmWindow>
        </Suspense>
      )}
    </>
  )
}

/**
 * Returns a function that moves the focus when the act has removed its own button: to the line after it, the line
 * before, or the heading. It does nothing where the button stayed.
 */
function neighbourOf(opener: HTMLElement | null): () => void {
  const line = opener?.closest('li') ?? null
  const near = [line?.nextElementSibling, line?.previousElementSibling]
  const heading = opener?.closest('section')?.querySelector('h2, h3') ?? null
  const moveFocus = () => {
    if (opener?.isConnected === true) return
    const next = near.find((one) => one?.isConnected === true)
    const target = next?.querySelector('button, a, input') ?? heading
    if (!(target instanceof HTMLElement)) return
    if (target === heading) target.tabIndex = -1
    target.focus()
  }
  // Two frames later the window is gone, which gives the focus back to nothing.
  return () => requestAnimationFrame(() => requestAnimationFrame(moveFocus))
}
