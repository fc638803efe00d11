/** Moving by keys through what a page lists: the focus goes from row to row, and Enter and screen readers follow. */

/** Room above a row that is brought into the window, where the search within a text stands. */
const ABOVE_PX = 96

/** Rows of lists, of tables, and paragraphs; rows within rows are not stops of their own. */
const ROW = 'li, [role="row"], [data-index]'

/** Returns the rows that can be opened, each with the first thing in it that can be pressed. */
function stopsOf(): { row: Element; stop: HTMLElement }[] {
  const rows = [...document.querySelectorAll(`#main :is(${ROW})`)]
  return rows.flatMap((row) => {
    const isAside = row.closest('nav, details, form') ?? row.parentElement?.closest(ROW)
    const stop = row.querySelector<HTMLElement>('a[href], button')
    return isAside == null && stop?.checkVisibility() === true ? [{ row, stop }] : []
  })
}

/** Focuses the row after the focused one, or before it; without one, the first that is in the window. */
export function stepRow(step: 1 | -1): void {
  const stops = stopsOf()
  const focused = stops.findIndex(({ row }) => row.contains(document.activeElement))
  const inSight = stops.findIndex(({ row }) => row.getBoundingClientRect().bottom > ABOVE_PX)
  const next = stops[focused < 0 ? Math.max(0, inSight) : focused + step]
  if (next === undefined) return
  const { top, bottom } = next.row.getBoundingClientRect()
  next.stop.focus({ preventScroll: true })
  if (top < ABOVE_PX || bottom > innerHeight)
    window.scrollBy({ top: top - ABOVE_PX, behavior: 'instant' })
}

export function openRow(): void {
  stopsOf()
    .find(({ stop }) => stop === document.activeElement)
    ?.stop.click()
}

/** Chooses the focused row among those that can be chosen together, or leaves it out. */
export function chooseRow(): void {
  const row = document.activeElement?.closest(`#main :is(${ROW})`)
  row?.querySelector<HTMLElement>('input[type="checkbox"]')?.click()
}

/** Focuses the search or filter of the page itself; returns whether it has one. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#main input[type="search"]')
  field?.focus()
  field?.select()
  return field !== null
}
