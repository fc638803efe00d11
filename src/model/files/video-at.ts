/** Returns the address of a video at a second: `https://www.youtube.com/watch?v=…&t=247s`. The website imports this. */
export function videoAt(url: string, ms: number): string {
  if (!URL.canParse(url)) return url
  const address = new URL(url)
  address.searchParams.set('t', `${Math.floor(ms / 1000)}s`)
  return address.href
}
