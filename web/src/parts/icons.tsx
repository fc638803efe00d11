/** The few icons of the site, drawn as lines in the colour of their text. */
import type { ReactNode } from 'react'

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 20 20"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      {children}
    </svg>
  )
}

export const PersonIcon = () => (
  <Icon>
    <circle cx="10" cy="7" r="3.2" />
    <path d="M4 16.500c.8-3 3-4.500 6-4.500s5.200 1.500 6 4.500" />
  </Icon>
)
export const DownloadIcon = () => (
  <Icon>
    <path d="M10 3v9m0 0 3.5-3.5M10 12 6.500 8.500M4 16h12" />
  </Icon>
)
export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9" height="9" rx="2" />
    <path d="M13 4.500A1.500 1.500 0 0 0 11.500 3h-7A1.500 1.500 0 0 0 3 4.500v7A1.500 1.500 0 0 0 4.500 13" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path d="m4.500 10.500 3.500 3.500 7.500-8" />
  </Icon>
)
export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 3.500 3.500" />
  </Icon>
)
export const PlusIcon = () => (
  <Icon>
    <path d="M10 4.500v11M4.500 10h11" />
  </Icon>
)
export const MenuIcon = () => (
  <Icon>
    <path d="M3.500 6.500h13M3.500 13.500h13" />
  </Icon>
)
export const ChevronIcon = () => (
  <Icon>
    <path d="m8 5.500 4.500 4.500L8 14.500" />
  </Icon>
)
export const BackIcon = () => (
  <Icon>
    <path d="M16 10H4m0 0 4.500-4.500M4 10l4.500 4.500" />
  </Icon>
)
export const OutIcon = () => (
  <Icon>
    <path d="M8 4H5.500A1.500 1.500 0 0 0 4 5.500v9A1.500 1.500 0 0 0 5.500 16h9a1.500 1.500 0 0 0 1.500-1.500V12M11.500 4H16v4.500M16 4l-7 7" />
  </Icon>
)
export const RepeatIcon = () => (
  <Icon>
    <path d="M4 9V8a3 3 0 0 1 3-3h8m0 0-2.500-2.500M15 5l-2.500 2.500M16 11v1a3 3 0 0 1-3 3H5m0 0 2.500 2.500M5 15l2.500-2.500" />
  </Icon>
)
export const KeyIcon = () => (
  <Icon>
    <circle cx="7" cy="12.500" r="3.500" />
    <path d="m9.500 10 6-6m-2.500 2.500 2 2" />
  </Icon>
)
export const SunIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.200" />
    <path d="M10 2.500v1.700M10 15.800v1.700M2.500 10h1.700M15.800 10h1.700M4.700 4.700l1.200 1.200M14.100 14.100l1.200 1.200M4.700 15.300l1.200-1.200M14.100 5.900l1.200-1.200" />
  </Icon>
)
export const StopIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="6.500" />
    <path d="m7.700 7.700 4.600 4.600m0-4.600-4.600 4.600" />
  </Icon>
)
