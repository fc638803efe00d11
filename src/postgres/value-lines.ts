/** Lines of values in a statement, each value a parameter. */
import { type RawBuilder, sql } from 'kysely'

/** For `values`; the first line tells the types, which the parameters of the others take. */
export function valueLines(
  lines: readonly (readonly unknown[])[],
  types: readonly string[],
): RawBuilder<unknown> {
  const written = lines.map((values, line) => {
    const parameters = values.map((value, at) =>
      line === 0 ? sql`${value ?? null}::${sql.raw(types[at] ?? 'text')}` : sql`${value ?? null}`,
    )
    return sql`(${sql.join(parameters)})`
  })
  return sql.join(written)
}
