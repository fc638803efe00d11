/** What a customer is told of texts that were kept as long as this service keeps them. */

/** `deletedAt`: the day is told, in UTC. */
export function textsDeleted(deletedAt: Date): string {
  const day = deletedAt.toISOString().slice(0, 'YYYY-MM-DD'.length)
  return `The text was deleted on ${day}, as this service keeps texts for a limited time. To get it again, order it with another set of URLs; that is charged anew.`
}
