/** The few icons of the site, drawn as lines in the colour of their text. */

/** Returns an icon of 20 by 20, which the path draws. */
const icon = (path: string) => () => (
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
    <path d={path} />
  </svg>
)

export const PersonIcon = icon(
  'M4 16.5c.8-3 3-4.5 6-4.5s5.2 1.5 6 4.5M6.8 7a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0',
)
export const DownloadIcon = icon('M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M4 16h12')
export const CopyIcon = icon(
  'M13 4.5A1.5 1.5 0 0 0 11.5 3h-7A1.5 1.5 0 0 0 3 4.5v7A1.5 1.5 0 0 0 4.5 13M9 7h5a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2z',
)
export const CheckIcon = icon('m4.5 10.5 3.5 3.5 7.5-8')
export const SearchIcon = icon('m13 13 3.5 3.5M4 9a5 5 0 1 0 10 0 5 5 0 1 0-10 0')
export const PlusIcon = icon('M10 4.5v11M4.5 10h11')
export const MenuIcon = icon('M3.5 6.5h13M3.5 13.5h13')
export const ChevronIcon = icon('m8 5.5 4.5 4.5L8 14.5')
export const BackIcon = icon('M16 10H4m0 0 4.5-4.5M4 10l4.5 4.5')
export const OutIcon = icon(
  'M8 4H5.5A1.5 1.5 0 0 0 4 5.5v9A1.5 1.5 0 0 0 5.5 16h9a1.5 1.5 0 0 0 1.5-1.5V12M11.5 4H16v4.5M16 4l-7 7',
)
export const RepeatIcon = icon(
  'M4 9V8a3 3 0 0 1 3-3h8m0 0-2.5-2.5M15 5l-2.5 2.5M16 11v1a3 3 0 0 1-3 3H5m0 0 2.5 2.5M5 15l2.5-2.5',
)
export const KeyIcon = icon('m9.5 10 6-6m-2.5 2.5 2 2M3.5 12.5a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0')
export const SunIcon = icon(
  'M10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2M6.8 10a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0',
)
export const StopIcon = icon(
  'm7.7 7.7 4.6 4.6m0-4.6-4.6 4.6M3.5 10a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0',
)
