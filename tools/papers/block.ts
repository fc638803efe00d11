/**
 * Returns a text with a printed block put between its marks. The first mark must be there once; blocks of one file may
 * end with the same mark.
 */
export function withBlock(
  now: string,
  { open, close }: { open: string; close: string },
  block: string,
): string {
  const [before, rest, ...more] = now.split(open)
  const [old, ...after] = rest?.split(close) ?? []
  const isOnce = before !== undefined && old !== undefined && more.length === 0
  if (!isOnce || after.length === 0 || isOpening(old, open))
    throw new Error(
      `“${open.trim()}” must stand in the file once, and “${close.trim()}” behind it before any other block`,
    )
  return `${before}${open}${block}${close}${after.join(close)}`
}

/** Returns whether a text opens another block: marks of one file begin alike, up to their colon. */
function isOpening(text: string, open: string): boolean {
  return text.includes(open.replace(/:[^]*/, ':'))
}
