/** The window of a question; its code is loaded when the first one is asked (confirm.tsx). */
import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { Button } from './controls.tsx'

export type WindowProps = {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Button that gets the focus again when the window closes. */
  opener: RefObject<HTMLButtonElement | null>
  title: string
  children: ReactNode
  error: string | null
  action: string
  isDangerous: boolean
  isReady: boolean
  isBusy: boolean
  onConfirm: () => void
}

export function ConfirmWindow({ isOpen, onOpen, opener, title, children, ...answer }: WindowProps) {
  const { error, action, isDangerous, isReady, isBusy, onConfirm } = answer
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop
          data-backdrop
          className="fixed inset-0 z-40 bg-[oklch(0.12_0.02_200/0.5)]"
        />
        <Dialog.Popup
          finalFocus={opener}
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
              disabled={!isReady}
              isBusy={isBusy}
              onClick={onConfirm}
            >
              {action}
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
