/**
 * Returns the number of the first item that meets a condition, or how many there are where none does. It halves the
 * items: all that stand behind one that meets the condition must meet it, too.
 */
export function firstWhere<Item>(items: readonly Item[], meets: (item: Item) => boolean): number {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const item = items[middle]
    if (item !== undefined && meets(item)) to = middle
    else from = middle + 1
  }
  return from
}
