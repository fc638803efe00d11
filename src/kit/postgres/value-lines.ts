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
  const values: unknown[] = []
  for (let line = 0; line < count; line += 1)
    for (let at = 0; at < types.length; at += 1) values.push(lines[line]?.[at] ?? null)
  return sql(textAround(types, count), ...values)
}

/** What stands around the parameters, by types and count: one template instead of a builder for each value. */
const TEXTS = new Map<string, TemplateStringsArray>()

function textAround(types: readonly string[], count: number): TemplateStringsArray {
  const name = `${count} ${types.join(' ')}`
  const known = TEXTS.get(name)
  if (known !== undefined) return known
  const after = Array.from({ length: count }, (_, line) =>
    types.map((type, at) => {
      const cast = line === 0 ? `::${type}` : ''
      if (at < types.length - 1) return `${cast}, `
      return line < count - 1 ? `${cast}), (` : `${cast})`
    }),
  )
  const texts = ['(', ...after.flat()]
  const template = Object.assign(texts, { raw: texts })
  TEXTS.set(name, template)
  return template
}
