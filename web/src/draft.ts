/** What was typed on the page of a new job, kept in this tab over a reload and over a sign-out, for its account. */

/** `from`: the address of the page it was begun at, which may bring lines of its own. */
export type Draft<Options> = { from: string; text: string; options: Options }

const nameOf = (accountId: string): string => `draft:${accountId}`

/** Null where nothing is kept for this account and address. */
export function readDraft<Options>(accountId: string, from: string): Draft<Options> | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(nameOf(accountId)) ?? 'null') as Draft<Options>
    return kept?.from === from ? kept : null
  } catch {
    return null
  }
}

/** A browser that keeps nothing loses the draft with the page. */
export function keepDraft<Options>(accountId: string, draft: Draft<Options> | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(accountId))
    else sessionStorage.setItem(nameOf(accountId), JSON.stringify(draft))
  } catch {
    return
  }
}
