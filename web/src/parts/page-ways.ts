/** The parts of the account's settings, and how links to the parts of a page look. */

export const SETTINGS = [
  { id: 'sign-in', title: 'Profile & sign-in' },
  { id: 'keys', title: 'API keys' },
  { id: 'apps', title: 'Connected apps' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'data', title: 'Your data' },
] as const

export type AccountPart = (typeof SETTINGS)[number]['id']

/** A row of links to the parts of a page; the open one is underlined. */
export const TAB_ROW = 'flex gap-1 overflow-x-auto border-b border-line'
/** Brings the open link into view, where not all fit. */
export function toOpenTab(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
export const TAB = `border-b-2 border-transparent px-3 py-2 text-[0.9375rem] whitespace-nowrap text-muted no-underline
  hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink`
