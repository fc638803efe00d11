/** The choice of light, dark, or the system's setting. */
import { useEffect } from 'react'
import { THEME, useKept } from '../kept-choice.ts'
import { SunIcon } from './icons.tsx'

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const
const NAMES = { system: 'as the system', light: 'light', dark: 'dark' }

export function ThemeSwitch() {
  const theme = useKept(THEME)
  // The choice may have been made in another tab.
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
  }, [theme])
  return (
    <button
      type="button"
      onClick={() => THEME.keep(NEXT[theme])}
      className="rounded-lg p-2.5 text-muted hover:bg-sunken hover:text-ink"
      aria-label={`Colours: ${NAMES[theme]}; change to ${NAMES[NEXT[theme]]}`}
      title={`Colours: ${NAMES[theme]}`}
    >
      <SunIcon />
    </button>
  )
}
