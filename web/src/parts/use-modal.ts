/** The browser's own modal window, open as long as it is shown: it holds the focus and gives it back. */
import { type MouseEvent, useEffect, useRef } from 'react'

export function useModal(onClosed: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => ref.current?.showModal(), [])
  const onClick = ({ target, currentTarget }: MouseEvent<HTMLDialogElement>) =>
    target === currentTarget && currentTarget.close()
  return { ref, onClose: onClosed, onClick }
}
