/** A question in a window of its own, before something that cannot be taken back. */
import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import { sentenceOf } from '../api/problem.ts'
import { Button } from './controls.tsx'

export type ConfirmParts = {
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
}: ConfirmParts) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      setOpen(false)
    } catch (failure) {
      setError(sentenceOf(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className={triggerLook}>{trigger}</Dialog.Trigger>
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
