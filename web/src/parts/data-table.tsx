/**
 * The one table of the site. Figures stand at the right in one width. What a phone has no column for stands below the
 * row's name there; a table that is still too wide scrolls by itself.
 */
import { type ComponentProps, type ReactNode, useCallback, useState } from 'react'
import { when } from '../format.ts'
import { buttonLook } from './controls.tsx'
import { DownloadIcon } from './icons.tsx'

type Cell<Row> = (row: Row) => ReactNode
/** `isWide`: no column on a phone. `isSilent`: the name is only heard, since the cells say what they are. */
type Column<Row> = { cell: Cell<Row>; isFigure?: true; isWide?: true; isSilent?: true }
/** Columns by their names, in order. */
export type Columns<Row> = Record<string, Cell<Row> | Column<Row>>

const columnOf = <Row,>(column: Cell<Row> | Column<Row>): Column<Row> =>
  typeof column === 'function' ? { cell: column } : column

/** Returns makers of columns for rows of one kind: of numbers to compare, of things to press, and for wide screens. */
export const columnsOf = <Row,>() => ({
  figure: (cell: Cell<Row>): Column<Row> => ({ cell, isFigure: true }),
  act: (cell: Cell<Row>): Column<Row> => ({ cell, isFigure: true, isSilent: true }),
  wide: (column: Cell<Row> | Column<Row>): Column<Row> => ({ ...columnOf(column), isWide: true }),
})

export const timeCell = (at: string) => (
  <time dateTime={at} className="text-sm whitespace-nowrap text-muted">
    {when(at)}
  </time>
)

/** A button that downloads a table, or what one of its rows is about. */
export function FileButton({ children, className = '', ...link }: ComponentProps<'a'>) {
  return (
    <a download {...link} className={`${buttonLook('plain', 'small')} ${className}`}>
      <DownloadIcon /> {children}
    </a>
  )
}

const lookOf = ({ isFigure, isWide }: Column<never>) =>
  `px-2 first:pl-0 last:pr-0 sm:px-3 ${isFigure ? 'numbers text-right' : 'text-left'} ${isWide ? 'max-sm:hidden' : ''}`

/** `name` is for those who hear the table; `none` is said in its place. */
export function DataTable<Row>({
  name,
  rows,
  keyOf,
  columns: columnsBy,
  none = 'None.',
}: {
  name: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  columns: (makers: ReturnType<typeof columnsOf<Row>>) => Columns<Row>
  none?: string
}) {
  const { isTooWide, watch } = useTooWide()
  if (rows.length === 0) return <p className="text-muted">{none}</p>
  const columns = Object.entries(columnsBy(columnsOf<Row>())).map(([title, column]) => {
    return { title, ...columnOf(column) }
  })
  const belowName = columns.filter(({ isWide }) => isWide)
  return (
    // The room at the sides is for rings of focus, which the box would cut off.
    <div
      ref={watch}
      {...(isTooWide ? { tabIndex: 0, role: 'group', 'aria-label': name } : {})}
      className="relative -mx-2 overflow-x-auto px-2"
    >
      <table className="w-full text-[0.9375rem]">
        <caption className="sr-only">{name}</caption>
        <thead className="text-sm text-muted">
          <tr>
            {columns.map(({ title, ...column }) => (
              <th
                key={title}
                scope="col"
                className={`${lookOf(column)} pb-2 align-bottom font-medium`}
              >
                {column.isSilent ? <span className="sr-only">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {rows.map((row) => (
            <tr key={keyOf(row)} className="align-baseline">
              {columns.map(({ title, ...column }, at) => (
                <td
                  key={title}
                  className={`${lookOf(column)} py-2.5 ${column.isFigure ? 'whitespace-nowrap' : ''}`}
                >
                  {column.cell(row)}
                  {at === 0 && belowName.length > 0 && (
                    <div className="mt-1 flex flex-wrap gap-x-3 text-sm leading-6 text-muted sm:hidden">
                      {belowName.map((one) => (
                        <span key={one.title}>
                          {one.isFigure && !one.isSilent && `${one.title}: `}
                          {one.cell(row)}
                        </span>
                      ))}
                    </div>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Tells whether the box is too narrow for its table: then keys must be able to scroll it. */
function useTooWide() {
  const [isTooWide, setTooWide] = useState(false)
  const watch = useCallback((box: HTMLElement | null) => {
    const table = box?.firstElementChild
    if (box === null || table == null) return undefined
    const observer = new ResizeObserver(() => setTooWide(box.scrollWidth > box.clientWidth))
    observer.observe(box)
    observer.observe(table)
    return () => observer.disconnect()
  }, [])
  return { isTooWide, watch }
}
