/** A question in a window of its own, before something that cannot be undone. */
import { type ReactNode, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './controls.tsx'
import { useFormWork } from './entrance.tsx'
import { useModal } from './use-modal.ts'

type ConfirmProps = {
  /** The button that asks; without one it has the words of the act. */
  trigger?: ReactNode
  triggerLook: string
  title: string
  children: ReactNode
  action: string
  isDangerous?: boolean
  /** Whether what the question asks for is given; until then its button cannot be pressed. */
  isReady?: boolean
  /** Whether it is asked when it is first shown: its button was another one's. */
  isAskedAtOnce?: boolean
  /** Called each time the button asks the question. */
  onAsk?: () => void
  /** Closes the window when it resolves; a failure is shown in the window. */
  onConfirm: () => Promise<unknown>
}

export function Confirm({ isAskedAtOnce = false, ...props }: ConfirmProps) {
  const { trigger, triggerLook, onAsk, onConfirm, ...question } = props
  const [isOpen, setOpen] = useState(isAskedAtOnce)
  const opener = useRef<HTMLButtonElement>(null)
  const ask = () => {
    setOpen(true)
    onAsk?.()
  }
  const confirm = async () => {
    const focusNeighbour = neighbourOf(opener.current)
    await onConfirm()
    return focusNeighbour
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={triggerLook}
        onClick={ask}
      >
        {trigger ?? question.action}
      </button>
      {isOpen && <Question {...question} onConfirm={confirm} onClosed={() => setOpen(false)} />}
    </>
  )
}

type QuestionProps = Omit<
  ConfirmProps,
  'trigger' | 'triggerLook' | 'isAskedAtOnce' | 'onAsk' | 'onConfirm'
> & {
  /** Resolves to what is done once the window is closed. */
  onConfirm: () => Promise<() => void>
  onClosed: () => void
}

/** The browser's own modal window: it holds the focus, closes by Escape, and gives the focus back to the button. */
function Question({ title, children, onConfirm, onClosed, ...answer }: QuestionProps) {
  const { action, isDangerous = false, isReady = true } = answer
  const work = useFormWork()
  const modal = useModal(onClosed)
  const id = useId()
  const close = () => modal.ref.current?.close()

  const confirm = () =>
    work.run(async () => {
      const goOn = await onConfirm()
      close()
      goOn()
    })
  // In the body the window inherits neither the look of a menu or row, nor is it hidden with one.
  return createPortal(
    <dialog
      {...modal}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      className="m-auto max-h-[90dvh] w-[calc(100%-2rem)] max-w-md rounded-2xl border border-line bg-surface p-0 text-ink shadow-card"
    >
      <div className="p-6">
        <h2 id={`${id}-title`} className="text-xl">
          {title}
        </h2>
        <div id={`${id}-about`} className="mt-3 space-y-2 text-[0.9375rem] text-muted">
          {children}
        </div>
        {work.error !== null && (
          <p role="alert" className="mt-3 text-sm font-medium text-danger">
            {work.error}
          </p>
        )}
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          <Button onClick={close}>Not now</Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            disabled={!isReady}
            isBusy={work.isBusy}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </div>
      </div>
    </dialog>,
    document.body,
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
  // Two frames later the act's own button is gone from the page, if it goes.
  return () => requestAnimationFrame(() => requestAnimationFrame(moveFocus))
}
