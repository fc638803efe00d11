/** A table of the console: names of columns, and rows of any content; it scrolls by itself. */
import type { ReactNode } from 'react'

export type ConsoleRow = { key: string; cells: ReactNode[] }

export function ConsoleTable({
  name,
  columns,
  rows,
  none = 'None.',
}: {
  name: string
  columns: string[]
  rows: ConsoleRow[]
  none?: string
}) {
  if (rows.length === 0) return <p className="text-muted">{none}</p>
  return (
    <div tabIndex={0} role="group" aria-label={name} className="overflow-x-auto">
      <table className="w-full min-w-[36rem] text-[0.9375rem]">
        <thead className="text-left text-sm text-muted">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="pr-4 pb-2 font-medium whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {rows.map(({ key, cells }) => (
            <tr key={key} className="align-top">
              {cells.map((cell, at) => (
                <td key={columns[at]} className="numbers py-2 pr-4">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
