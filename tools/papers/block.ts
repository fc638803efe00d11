/** Returns a text with a printed block put between its marks, of which there must be one pair. */
export function withBlock(
  now: string,
  { open, close }: { open: string; close: string },
  block: string,
): string {
  const [before, rest, ...more] = now.split(open)
  const [old, after, ...others] = rest?.split(close) ?? []
  const isOnce = old !== undefined && after !== undefined && more.length + others.length === 0
  if (!isOnce || before === undefined)
    throw new Error(
      `“${open.trim()}” and “${close.trim()}” must stand in the file once, in this order`,
    )
  return `${before}${open}${block}${close}${after}`
}
