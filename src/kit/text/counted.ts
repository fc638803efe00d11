/** Numbers of things in words. */

/** Returns "1 session", "2 sessions", "1,204 sessions". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`
}
