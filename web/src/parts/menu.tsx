/** A button that opens a list of links below it; Escape, a choice and whatever is pressed elsewhere close it. */
import { type ReactNode, useEffect, useRef } from 'react'

/** The look of a menu's link or button. */
export const MENU_ROW =
  'block w-full rounded-lg px-3 py-2 text-left whitespace-nowrap no-underline hover:bg-sunken'

export function Menu({
  label,
  name,
  look,
  children,
  isAtEnd = false,
  isUp = false,
  onToggle,
}: {
  label: ReactNode
  /** What the button is called where its label is a picture. */
  name?: string
  look: string
  children: ReactNode
  /** Whether the list ends where the button ends, as at the right edge of the page. */
  isAtEnd?: boolean
  /** Whether the list lies above the button, as at the foot of the window. */
  isUp?: boolean
  /** Called when it has opened or closed. */
  onToggle?: (isOpen: boolean) => void
}) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = ({ target }: Event) => {
      const { current } = menu
      if (isAsked(target) || current?.contains(target as Node) === true) return
      if (current?.open === true) current.open = false
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [])
  return (
    <details
      ref={menu}
      className="relative"
      onToggle={({ currentTarget: { open, lastElementChild } }) => {
        if (open && !isUp && lastElementChild instanceof HTMLElement) fitWindow(lastElementChild)
        onToggle?.(open)
      }}
      onKeyDown={({ key, target, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.open || isAsked(target)) return
        currentTarget.open = false
        currentTarget.querySelector('summary')?.focus()
      }}
      onClick={({ target, currentTarget }) => {
        const pressed = (target as Element).closest('a, button')
        if (pressed === null) return
        currentTarget.open = false
        // A button acts on this page, where its focus must not be lost with the list.
        if (pressed.localName === 'button') currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary aria-label={name} className={`${look} cursor-pointer list-none`}>
        {label}
      </summary>
      <div
        className={`absolute z-30 min-w-48 overflow-y-auto overscroll-contain rounded-xl border border-line bg-surface p-1.5 text-[0.9375rem] shadow-card ${isAtEnd ? 'right-0' : 'left-0'} ${isUp ? 'bottom-full mb-1 max-h-[70dvh]' : 'mt-1'}`}
      >
        {children}
      </div>
    </details>
  )
}

/** Height that a list has at least, in pixels: about four rows. */
const LIST_LEAST = 180

/** Gives a list the height that the window has below its button; what is longer scrolls within. */
function fitWindow(list: HTMLElement): void {
  const room = window.innerHeight - list.getBoundingClientRect().top - 16
  list.style.maxHeight = `${Math.max(LIST_LEAST, room)}px`
  list.scrollIntoView({ block: 'nearest' })
}

/** Returns whether a target is in a question, as of a button of the menu, which goes on behind it. */
function isAsked(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null
}
