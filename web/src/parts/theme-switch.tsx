/** The choice of light, dark, or the system's setting. */
import { useState } from 'react'
import { SunIcon } from './icons.tsx'

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const
type Theme = keyof typeof NEXT
const NAMES: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' }

function storedTheme(): Theme {
  const theme = document.documentElement.dataset['theme']
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

function apply(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(storedTheme)
  const turn = () => {
    const next = NEXT[theme]
    apply(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      onClick={turn}
      className="rounded-lg p-2.5 text-muted hover:bg-sunken hover:text-ink"
      aria-label={`Colours: ${NAMES[theme]}; change to ${NAMES[NEXT[theme]]}`}
      title={`Colours: ${NAMES[theme]}`}
    >
      <SunIcon />
    </button>
  )
}
