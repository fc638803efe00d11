/** Text typed on the page of a new job, kept in this tab over a reload and over a sign-out, for its account. */

/** `from` is the address of the page where it was begun, which may bring lines of its own. */
export type Draft<Options> = { from: string; text: string; options: Options }

const nameOf = (accountId: string): string => `draft:${accountId}`

/** Returns null where nothing is kept for this account and address. */
export function readDraft<Options>(accountId: string, from: string): Draft<Options> | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(accountId)) ?? 'null') as Draft<Options>
    return kept?.from === from ? kept : null
  } catch {
    return null
  }
}

/** Keeps the draft, or forgets it where it is null. In a browser without storage it is lost with the page. */
export function keepDraft<Options>(accountId: string, draft: Draft<Options> | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(accountId))
    else sessionStorage.setItem(nameOf(accountId), JSON.stringify(draft))
  } catch {
    return
  }
}

type Mended = { line: string; number: number; suggestion: string | null }

/** Returns the text with what was probably meant in the place of a line, which stands where the server read it. */
export function mendedText(text: string, { line, number, suggestion }: Mended): string {
  const rows = text.split('\n')
  const at = rows.findIndex((row, index) => index >= number - 1 && row.includes(line))
  if (at < 0 || suggestion === null) return text
  return rows
    .with(
      at,
      (rows[at] ?? '').replace(line, () => suggestion),
    )
    .join('\n')
}
