/** Fields with their types, bounds and meaning; a name can be linked to, and may break anywhere. */
import type { FieldRow } from './fields.ts'
import { Line } from './prose.tsx'

export function FieldTable({ title, rows }: { title: string; rows: FieldRow[] }) {
  if (rows.length === 0) return null
  return (
    <section className="mt-6">
      <h4 className="mb-1 text-sm font-semibold">{title}</h4>
      <dl className="divide-y divide-line border-y border-line text-[0.9375rem]">
        {rows.map(({ path, type, isRequired, about, bounds }) => (
          <div key={path} className="py-2.5">
            <dt className="flex flex-wrap items-baseline gap-x-3">
              <code className="font-mono text-sm font-medium wrap-anywhere">{path}</code>
              <span className="text-sm text-muted">{type}</span>
              {isRequired && <span className="text-sm text-warn">required</span>}
            </dt>
            <dd className="mt-0.5 text-muted">
              {about !== '' && <Line text={about} />}
              {bounds.length > 0 && (
                <span className="block text-sm wrap-anywhere">{bounds.join('; ')}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
