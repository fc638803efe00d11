/** Lines of values in a statement, each value a parameter. */
import { type RawBuilder, sql } from 'kysely'

/**
 * For `values`: so many lines, those that are missing of nulls. The first one tells the types, which the parameters of
 * the others take.
 */
export function valueLines(
  lines: readonly (readonly unknown[])[],
  { types, count }: { types: readonly string[]; count: number },
): RawBuilder<unknown> {
  const written = Array.from({ length: count }, (_, line) => {
    const parameters = types.map((type, at) => {
      const value = lines[line]?.[at] ?? null
      return line === 0 ? sql`${value}::${sql.raw(type)}` : sql`${value}`
    })
    return sql`(${sql.join(parameters)})`
  })
  return sql.join(written)
}
