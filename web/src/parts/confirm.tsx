/** A question in a window of its own, before something that cannot be taken back. */
import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef, useState } from 'react'
import { sentenceOf } from '../api/problem.ts'
import { Button } from './controls.tsx'

export type ConfirmProps = {
  trigger: ReactNode
  triggerLook: string
  title: string
  children: ReactNode
  action: string
  isDangerous?: boolean
  /** The window closes when it resolves; a failure is shown in it. */
  onConfirm: () => Promise<unknown>
}

export function Confirm({
  trigger,
  triggerLook,
  title,
  children,
  action,
  isDangerous = false,
  onConfirm,
}: ConfirmProps) {
  const [isOpen, setOpen] = useState(false)
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
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger ref={opener} className={triggerLook}>
        {trigger}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[oklch(0.12_0.02_200/0.5)]" />
        <Dialog.Popup
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[90dvh] max-w-md -translate-y-1/2 overflow-auto
          rounded-2xl border border-line bg-surface p-6 shadow-card"
        >
          <Dialog.Title className="text-xl">{title}</Dialog.Title>
          <Dialog.Description
            render={<div />}
            className="mt-3 space-y-2 text-[0.9375rem] text-muted"
          >
            {children}
          </Dialog.Description>
          {error !== null && (
            <p role="alert" className="mt-3 text-sm font-medium text-danger">
              {error}
            </p>
          )}
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <Dialog.Close render={<Button />}>Not now</Dialog.Close>
            <Button
              kind={isDangerous ? 'danger' : 'primary'}
              isBusy={isBusy}
              onClick={() => void confirm()}
            >
              {action}
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/**
 * What was removed takes its button along. Returns what moves the focus to the line after it, the one before, or the
 * heading; it does nothing where the button stayed.
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
  // After the window is gone, which gives the focus back to nothing.
  return () => requestAnimationFrame(() => requestAnimationFrame(moveFocus))
}
