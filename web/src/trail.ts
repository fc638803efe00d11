/** The pages that were opened in this tab, by which a page leads back to where it was opened, whatever that was. */

/** A page, and its place in the tab's history. */
export type Step = { href: string; at: number }

const NAME = 'trail'
const KEPT_MAX = 30
/** A row of a job: who goes from one to the next is still led back to where the first was opened. */
const ROW = /^\/jobs\/[^/?#]+\/\d/

let steps = kept()

/** Notes a page; those that were behind it are left. */
export function noteStep(step: Step): void {
  steps = [...steps.filter(({ at }) => at < step.at), step].slice(-KEPT_MAX)
  try {
    sessionStorage.setItem(NAME, JSON.stringify(steps))
  } catch {
    return // it lasts as long as the document
  }
}

function kept(): Step[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as Step[]
  } catch {
    return []
  }
}

/** Returns where a page was opened: the last step before it that is neither itself nor a row; null for none. */
export function openedFrom({ href, at: here }: Step): Step | null {
  const [path] = href.split(/[?#]/)
  const isOther = (step: Step) => !ROW.test(step.href) && step.href.split(/[?#]/)[0] !== path
  return steps.findLast((step) => step.at < here && isOther(step)) ?? null
}

/** Returns the first part of an address that is a row's page: that of the page where it was opened. */
export function partOf(step: Step): string {
  const shown = ROW.test(step.href) ? (openedFrom(step) ?? step) : step
  return /^\/[^/?#]*/.exec(shown.href)?.[0] ?? '/'
}
