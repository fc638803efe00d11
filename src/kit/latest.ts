/** Maps that keep what was set last: a Map remembers the order in which its entries came. */

/**
 * Sets an entry as the map's last one. Returns the key of the first one where it was forgotten to keep `max`, else
 * null.
 */
export function setLatest<K, V>(
  map: Map<K, V>,
  key: K,
  { value, max }: { value: V; max: number },
): K | null {
  map.delete(key)
  map.set(key, value)
  const [first] = map.keys()
  if (map.size <= max || first === undefined) return null
  map.delete(first)
  return first
}
